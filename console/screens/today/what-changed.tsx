import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { asking } from '../../app/queries.js'
import type { Days } from '../../app/recent-days.js'
import { addDays, fixed } from '../../look/format.js'
import { Bones, ErrorNote } from '../../look/notes.js'
import type { Changes } from '../changes/calls-of-change.js'
import { ChangeCard } from '../changes/change-card.js'

/** Findings that are shown here; the rest stands on the page of changes. */
const MOST = 5
const WEEK = 7

interface WhatChangedProps extends Days {
  /** Answers to one key are worked on one after the other: what stands higher on the page comes first. */
  readonly isTurn: boolean
}

/** What is different from the week before; where a week is too short to tell, of two. */
export function WhatChanged({ from, to, isTurn }: WhatChangedProps) {
  const { t } = useTranslation()
  const week = useQuery({
    ...asking('detect_changes', { period: `${from} to ${to}`, examples: 0 }),
    enabled: isTurn,
  })
  const isQuiet = week.data?.total === 0
  const wider = useQuery({
    ...asking('detect_changes', { period: `${addDays(from, -WEEK)} to ${to}`, examples: 0 }),
    enabled: isQuiet,
  })
  const { data: shown, isPending } = isQuiet ? wider : week
  return (
    <section className="panel" aria-labelledby="changed-title">
      <h2 id="changed-title">{t('today.changed')}</h2>
      {week.isError && <ErrorNote error={week.error} retry={() => void week.refetch()} />}
      {week.data?.total === 0 && <Quiet found={week.data} />}
      {isPending && <Bones rows={3} height={68} />}
      {isQuiet && wider.data !== undefined && wider.data.total > 0 && <h3>{t('today.fortnight')}</h3>}
      {shown !== undefined && shown.changes.length > 0 && (
        <ul>
          {shown.changes.slice(0, MOST).map(one => (
            <ChangeCard key={`${one.category} ${one.key} ${one.agent_id ?? ''}`} change={one} found={shown} />
          ))}
        </ul>
      )}
      <p className="more">
        <Link to="/changes">{t('today.allChanges')}</Link>
      </p>
    </section>
  )
}

/** Nothing stands out: said with what would have. */
function Quiet({ found }: { readonly found: Changes }) {
  const { t } = useTranslation()
  const { score } = found.detectable
  if (found.tested === 0) {
    return <p className="muted">{[t('changes.untested'), ...(found.warnings ?? [t('changes.tooRare')])].join('. ')}</p>
  }
  return (
    <p className="muted">
      {t('today.nothing', { count: found.tested })}{' '}
      {score !== undefined && t('today.detectable', { score: fixed(score, 2) })}
    </p>
  )
}
