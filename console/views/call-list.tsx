import { useTranslation } from 'react-i18next'
import type { Answer } from '../client/questions.js'
import { Score } from '../look/figure.js'
import { moment } from '../look/format.js'

interface CallListProps {
  readonly found: Answer<'search_calls'>
  readonly open: ((sessionId: string) => void) | undefined
}

/** The first calls of some that were asked for. */
export function CallList({ found: { calls, total, window }, open }: CallListProps) {
  const { t } = useTranslation()
  return (
    <section className="panel" aria-labelledby="calls-title">
      <h2 id="calls-title">{t('views.calls', { count: total })}</h2>
      <ul className="evidence">
        {calls.map(({ session_id: id, date, agent_name: agent, score, summary }) => (
          <li key={id}>
            <span className="card-line">
              {open === undefined ? (
                <b>{summary ?? t('calls.untitled')}</b>
              ) : (
                <button type="button" className="link" onClick={() => open(id)}>
                  {summary ?? t('calls.untitled')}
                </button>
              )}
              <Score value={score} />
            </span>
            <span className="small muted">
              <bdi>{agent}</bdi> · {moment(date, window.time_zone)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
