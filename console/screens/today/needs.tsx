import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { asking } from '../../app/queries.js'
import type { Days } from '../../app/recent-days.js'
import { Score } from '../../look/figure.js'
import { fixed, moment, UNKNOWN, whole } from '../../look/format.js'
import { Bones, ErrorNote } from '../../look/notes.js'
import { Why } from '../calls/why.js'

/** Calls that somebody should listen to: by why, and those with the lowest scores. */
export function Needs({ days: { from, to }, zone }: { readonly days: Days; readonly zone: string }) {
  const { t } = useTranslation()
  const dates = { date_from: from, date_to: to }
  const low = useQuery(asking('search_calls', { ...dates, sort: 'score_asc', limit: 6 }))
  return (
    <div className="stack">
      <section className="panel" aria-labelledby="needs-title">
        <h2 id="needs-title">{t('today.needs')}</h2>
        <ul className="needs">
          <Need name="capped" filters={{ ...dates, capped: 'true', sort: 'score_asc' }} />
          <Need name="poor" filters={{ ...dates, below_score: '2.5', sort: 'score_asc' }} />
          <Need name="lowTrust" filters={{ ...dates, max_trust: 'low' }} />
          <Need name="muchWorse" filters={{ ...dates, lift_band: 'strong_negative' }} />
        </ul>
      </section>
      <Disputes zone={zone} />
      <section className="panel" aria-labelledby="look-title">
        <h2 id="look-title">{t('today.look')}</h2>
        {low.isPending && <Bones rows={6} height={60} />}
        {low.isError && <ErrorNote error={low.error} retry={() => void low.refetch()} />}
        <ul>
          {low.data?.calls.map(one => (
            <li key={one.session_id} className="look">
              <Link to="/calls/$session_id" params={{ session_id: one.session_id }}>
                {one.summary ?? t('calls.untitled')}
              </Link>
              <Score value={one.score} />
              <span className="small muted">
                <bdi>{one.agent_name}</bdi> · {moment(one.date, zone)}
              </span>
              <span className="small">
                <Why why={one.why} />
              </span>
            </li>
          ))}
        </ul>
        {low.data?.total === 0 && <p className="muted">{t('today.noCalls')}</p>}
        <p className="more">
          <Link to="/calls" search={{ ...dates, sort: 'score_asc' }}>
            {t('today.allLow')}
          </Link>
        </p>
      </section>
    </div>
  )
}

/** Disputes that are shown here. */
const MOST_DISPUTES = 5

/** What people hold to be wrong, and nobody answered yet. */
function Disputes({ zone }: { readonly zone: string }) {
  const { t } = useTranslation()
  const { data } = useQuery(asking('get_verdicts', { limit: MOST_DISPUTES }))
  if (data === undefined || data.disputes_total === 0) return null
  return (
    <section className="panel" aria-labelledby="disputes-title">
      <h2 id="disputes-title">{t('said.waiting', { count: data.disputes_total })}</h2>
      <ul>
        {data.disputes.map(one => (
          <li key={one.feedback_id} className="look">
            <Link to="/calls/$session_id" params={{ session_id: one.session_id }}>
              {one.display_name ?? t('said.of.score', { score: fixed(one.score) })}
            </Link>
            {one.text !== undefined && <span className="own-words">{one.text}</span>}
            <span className="small muted">
              <bdi>{one.agent_name}</bdi> · <bdi>{one.created_by}</bdi> · {moment(one.created_at, zone)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface NeedProps {
  readonly name: 'capped' | 'poor' | 'lowTrust' | 'muchWorse'
  readonly filters: Readonly<Record<string, string>>
}

/** How many calls there are of a kind, which its link lists. */
function Need({ name, filters }: NeedProps) {
  const { t } = useTranslation()
  const found = useQuery(asking('search_calls', { ...filters, limit: 1 }))
  return (
    <li>
      <Link to="/calls" search={filters}>
        {t(`today.need.${name}`)}
      </Link>
      <b className="number">{found.data === undefined ? UNKNOWN : whole(found.data.total)}</b>
    </li>
  )
}
