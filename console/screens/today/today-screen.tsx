import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { NewCalls } from '../../app/new-calls.js'
import { asking, useContextAnswer } from '../../app/queries.js'
import { recentDays } from '../../app/recent-days.js'
import { useTitle } from '../../app/use-title.js'
import { Spark } from '../../charts/spark.js'
import type { Answer } from '../../client/questions.js'
import { Figure } from '../../look/figure.js'
import { day, fixed, moment, percent, whole } from '../../look/format.js'
import { Bones, ErrorNote, Note } from '../../look/notes.js'
import { Needs } from './needs.js'
import { Reasons } from './reasons.js'
import { WhatChanged } from './what-changed.js'

const DAYS = 7
/** Where the scale of scores begins: a line that began at its lowest value would make little look like much. */
const LOWEST = 1

/** The last week at a glance, against the one before: what to know, what to listen to. */
export function TodayScreen() {
  const { t } = useTranslation()
  const context = useContextAnswer()
  const { from, to, before, isPast } = recentDays(context, DAYS)
  const { timezone: zone } = context.project
  useTitle(t('nav.today'))
  const now = useQuery(
    asking('get_project_summary', { date_from: from, date_to: to, interval: 'day', top: 100, examples: 0 }),
  )
  const earlier = useQuery({
    ...asking('get_project_summary', { date_from: before.from, date_to: before.to, top: 1, examples: 0 }),
    enabled: now.isFetched,
  })
  const live = <NewCalls filters={{ date_from: from, date_to: to }} shown={now.data?.calls} />
  if (context.volume.calls === 0) {
    return (
      <>
        <Note title={t('calls.emptyProject')}>
          <p className="muted">{t('calls.emptyProjectLead')}</p>
        </Note>
        {live}
      </>
    )
  }
  return (
    <>
      <div className="page-head">
        <h1>{isPast ? t('today.past') : t('today.title')}</h1>
        <span className="lead">
          {t('today.lead', { from: day(`${from}T12:00Z`, 'UTC'), to: day(`${to}T12:00Z`, 'UTC'), zone })}
          {isPast && <> · {t('today.lastCall', { at: moment(context.volume.last_call, zone) })}</>}
        </span>
      </div>
      {now.isError ? (
        <ErrorNote error={now.error} retry={() => void now.refetch()} />
      ) : (
        <Figures now={now.data} before={earlier.data} />
      )}
      <div className="columns">
        <div className="stack">
          <WhatChanged from={from} to={to} isTurn={now.isFetched} />
          <section className="panel" aria-labelledby="reasons-title">
            <h2 id="reasons-title">{t('today.reasons')}</h2>
            {now.data === undefined ? (
              <Bones rows={12} height={36} />
            ) : (
              <Reasons summary={now.data} days={{ from, to }} />
            )}
          </section>
        </div>
        <Needs days={{ from, to }} zone={zone} />
      </div>
      {live}
    </>
  )
}

type Summary = Answer<'get_project_summary'>

interface FiguresProps {
  readonly now: Summary | undefined
  readonly before: Summary | undefined
}

/** Calls, score and satisfaction, each with what it rests on and what it was before. */
function Figures({ now, before }: FiguresProps) {
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
      line: { values: steps.map(one => one.calls), label: t('today.perDay'), low: 0 },
    },
    {
      name: t('today.score'),
      value: now?.average_score,
      interval: now?.score_interval_95,
      n: now?.scored_calls,
      show: two,
      beside: was(before?.average_score, two, before?.score_interval_95),
      line: { values: steps.map(one => one.average_score), label: t('today.scoreByDay'), low: LOWEST },
    },
    {
      name: t('today.csat'),
      value: now?.average_predicted_csat,
      interval: now?.csat_interval_95,
      n: now?.csat_calls,
      show: two,
      beside: was(before?.average_predicted_csat, two, before?.csat_interval_95),
      line: { values: steps.map(one => one.average_predicted_csat), label: t('today.csatByDay'), low: LOWEST },
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
                values: line.values.map(value => (value === undefined ? '—' : fixed(value, 1))).join(', '),
              })}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
