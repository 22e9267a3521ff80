import { useTranslation } from 'react-i18next'
import type { Answer } from '../client/questions.js'
import { dateIn, day } from '../look/format.js'
import { Figures } from '../screens/today/figures.js'
import { Reasons } from '../screens/today/reasons.js'

/** How a project stands: its figures, and why customers called, worst handled first. */
export function SummaryView({ summary }: { readonly summary: Answer<'get_project_summary'> }) {
  const { t } = useTranslation()
  const { from, to, time_zone: zone } = summary.window
  return (
    <div className="stack">
      <div className="page-head">
        <h1>{t('views.summary')}</h1>
        <span className="lead">{t('today.lead', { from: day(from, zone), to: day(to, zone), zone })}</span>
      </div>
      <Figures now={summary} before={undefined} />
      <section className="panel" aria-labelledby="reasons-title">
        <h2 id="reasons-title">{t('today.reasons')}</h2>
        <Reasons summary={summary} days={{ from: dateIn(from ?? to, zone), to: dateIn(to, zone) }} />
      </section>
    </div>
  )
}
