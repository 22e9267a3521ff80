import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { NewCalls } from '../../app/new-calls.js'
import { NoCalls } from '../../app/no-calls.js'
import { asking, useContextAnswer } from '../../app/queries.js'
import { recentDays } from '../../app/recent-days.js'
import { useTitle } from '../../app/use-title.js'
import { day, moment } from '../../look/format.js'
import { Bones, ErrorNote } from '../../look/notes.js'
import { Figures } from './figures.js'
import { Needs } from './needs.js'
import { Reasons } from './reasons.js'
import { WhatChanged } from './what-changed.js'

const DAYS = 7

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
        <NoCalls />
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
