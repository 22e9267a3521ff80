import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../app/queries.js'
import { useTitle } from '../../app/use-title.js'
import { Note } from '../../look/notes.js'
import { type Approval, read } from '../../client/settings.js'
import { Approvals, isTurnOf } from './approvals.js'
import { Keys } from './keys.js'
import { Audit } from './audit.js'
import { Alerts, Documents, Health, Tasks, Webhooks } from './parts.js'
import { Teams } from './teams.js'
import { useProjectPath } from './project-path.js'

const PARTS = {
  keys: Keys,
  teams: Teams,
  approvals: Approvals,
  tasks: Tasks,
  webhooks: Webhooks,
  alerts: Alerts,
  audit: Audit,
  documents: Documents,
  health: Health,
} as const
type Part = keyof typeof PARTS
const NAMES = Object.keys(PARTS) as readonly Part[]

/** What is set up for the project, and what becomes of it: for administrators. */
export function SettingsScreen() {
  const { t } = useTranslation()
  const { part: asked } = useSearch({ from: '/settings' })
  const part = NAMES.find(name => name === asked) ?? 'keys'
  useTitle(`${t(`settings.${part}.title`)} · ${t('settings.title')}`)
  const Shown = PARTS[part]
  const { data: session } = useQuery(sessionQuery)
  if (session?.administrator !== true) {
    return (
      <Note title={t('settings.mayNot')}>
        <p className="muted">{t('settings.mayNotLead')}</p>
      </Note>
    )
  }
  return (
    <>
      <div className="page-head">
        <h1>{t('settings.title')}</h1>
        <span className="lead">{t(`settings.${part}.lead`)}</span>
      </div>
      <nav className="parts" aria-label={t('settings.parts')}>
        {NAMES.map(name => (
          <Link key={name} to="/settings" search={{ part: name }} aria-current={name === part ? 'page' : undefined}>
            {name === 'approvals' ? <ApprovalsTitle /> : t(`settings.${name}.title`)}
          </Link>
        ))}
      </nav>
      <section className="panel" aria-label={t(`settings.${part}.title`)}>
        <Shown />
      </section>
    </>
  )
}

/** With how many wait for who looks. */
function ApprovalsTitle() {
  const { t } = useTranslation()
  const path = `${useProjectPath()}/approvals`
  const { data } = useQuery({
    queryKey: ['settings', path, 'count'],
    queryFn: ({ signal }) => read<{ readonly approvals: readonly Approval[] }>(path, signal),
  })
  const count = data?.approvals.filter(isTurnOf).length ?? 0
  return count === 0 ? t('settings.approvals.title') : t('settings.approvals.titleCount', { count })
}
