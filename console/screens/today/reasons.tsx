import { useTranslation } from 'react-i18next'
import type { Days } from '../../app/recent-days.js'
import { IntervalBar } from '../../charts/interval-bar.js'
import type { Answer } from '../../client/questions.js'
import { FEW_CALLS } from '../../look/figure.js'
import { fixed, UNKNOWN } from '../../look/format.js'
import { CallsLink } from '../../look/links.js'

interface ReasonsProps {
  readonly summary: Answer<'get_project_summary'>
  readonly days: Days
}

const SCALE = [1, 5] as const

/** Why customers called, worst handled first: how many, and how well, with what it may be. */
export function Reasons({ summary: { drivers, average_score: reference }, days }: ReasonsProps) {
  const { t } = useTranslation()
  const sorted = drivers.toSorted((a, b) => (a.average_score ?? Infinity) - (b.average_score ?? Infinity))
  if (sorted.length === 0) return <p className="muted">{t('today.noReasons')}</p>
  return (
    <>
      <p className="small muted">{t('today.reasonsLead', { value: fixed(reference, 2) })}</p>
      <ul className="reasons">
        {sorted.map(({ key, calls, average_score: score, score_interval_95: interval, scored_calls: scored }) => {
          const [low, high] = interval ?? []
          const name = key
          return (
            <li key={key}>
              <CallsLink
                filters={{ driver: key, date_from: days.from, date_to: days.to, sort: 'score_asc' }}
                className="reason-name"
              >
                {name}
              </CallsLink>
              <IntervalBar
                value={score}
                interval={interval}
                scale={SCALE}
                reference={reference}
                isFew={scored < FEW_CALLS}
                label={t('today.reasonBar', {
                  reason: name,
                  value: fixed(score, 2),
                  low: fixed(low, 2),
                  high: fixed(high, 2),
                  count: scored,
                })}
              />
              <span className="number">
                {score === undefined ? UNKNOWN : <b>{fixed(score, 2)}</b>}{' '}
                <span className="muted small">{t('figure.n', { count: calls })}</span>
              </span>
            </li>
          )
        })}
      </ul>
      <p className="small muted axis-note">
        <span className="hollow" aria-hidden="true" /> {t('figure.fewHelp', { count: FEW_CALLS })}
      </p>
    </>
  )
}
