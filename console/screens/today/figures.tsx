import { useTranslation } from 'react-i18next'
import { Spark } from '../../charts/spark.js'
import type { Answer } from '../../client/questions.js'
import { Figure } from '../../look/figure.js'
import { fixed, percent, UNKNOWN, whole } from '../../look/format.js'
import { Bones } from '../../look/notes.js'

/** Where the scale of scores begins: a line that began at its lowest value would make little look like much. */
const LOWEST = 1

type Summary = Answer<'get_project_summary'>

interface FiguresProps {
  readonly now: Summary | undefined
  readonly before: Summary | undefined
}

/** Calls, score and satisfaction, each with what it rests on and what it was before. */
export function Figures({ now, before }: FiguresProps) {
  const { t } = useTranslation()
  const steps = now?.trend ?? []
  const was = (value: number | undefined, show: (one: number) => string, interval?: readonly number[]) => {
    const [low, high] = interval ?? []
    if (value === undefined) return undefined
    return low === undefined || high === undefined
      ? t('today.before', { value: show(value) })
      : t('today.beforeBetween', { value: show(value), low: show(low), high: show(high) })
  }
  const two = (one: number | undefined) => fixed(one, 2)
  const share = (one: number | undefined) => percent(one)
  const cards = [
    {
      name: t('today.calls'),
      value: now?.calls,
      show: (one: number | undefined) => whole(one ?? 0),
      beside: was(before?.calls, whole),
      line: { values: steps.map(one => one.calls), label: t('today.perDay'), low: 0, show: whole },
    },
    {
      name: t('today.score'),
      value: now?.average_score,
      interval: now?.score_interval_95,
      n: now?.scored_calls,
      show: two,
      beside: was(before?.average_score, two, before?.score_interval_95),
      line: { values: steps.map(one => one.average_score), label: t('today.scoreByDay'), low: LOWEST, show: fixed },
    },
    {
      name: t('today.csat'),
      value: now?.average_predicted_csat,
      interval: now?.csat_interval_95,
      n: now?.csat_calls,
      show: two,
      beside: was(before?.average_predicted_csat, two, before?.csat_interval_95),
      line: {
        values: steps.map(one => one.average_predicted_csat),
        label: t('today.csatByDay'),
        low: LOWEST,
        show: fixed,
      },
    },
    {
      name: t('today.positive'),
      value: now?.positive_share,
      interval: now?.positive_share_interval_95,
      n: now?.scored_calls,
      show: share,
      beside: was(before?.positive_share, share, before?.positive_share_interval_95),
    },
  ]
  return (
    <ul className="cards">
      {cards.map(({ line, ...figure }) => (
        <li className="panel card" key={figure.name}>
          {now === undefined ? <Bones rows={2} height={40} /> : <Figure {...figure} />}
          {line !== undefined && (
            <Spark
              values={line.values}
              scale={[line.low, Math.max(...line.values.map(value => value ?? line.low))]}
              label={t('today.line', {
                what: line.label,
                values: line.values.map(value => (value === undefined ? UNKNOWN : line.show(value))).join(', '),
              })}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
