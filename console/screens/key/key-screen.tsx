import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sessionQuery, useContextAnswer } from '../../app/queries.js'
import { useTitle } from '../../app/use-title.js'
import { day } from '../../look/format.js'

/** What the key that is signed in hears, in words. */
export function KeyScreen() {
  const { t } = useTranslation()
  useTitle(t('key.title'))
  const { project, scope, volume } = useContextAnswer()
  const session = useQuery(sessionQuery)
  const name = project.name
  const heard = scope.full_project ? 'full' : scope.allowed_agents.length > 0 ? 'some' : 'nobody'
  return (
    <>
      <div className="page-head">
        <h1>{t('key.title')}</h1>
        <span className="lead">{t('key.lead')}</span>
      </div>
      <section className="panel stack">
        {session.data !== undefined && session.data !== null && <p>{t('key.name', { name: session.data.name })}</p>}
        <div>
          <p>{t(`key.${heard}`, { project: name })}</p>
          {heard === 'some' && (
            <ul className="names">
              {scope.allowed_agents.map(agent => (
                <li key={agent}>{agent}</li>
              ))}
            </ul>
          )}
        </div>
        <p>
          {volume.calls === 0
            ? t('key.none')
            : t('key.volume', {
                count: volume.calls,
                evaluated: volume.evaluated,
                first: day(volume.first_call, project.timezone),
                last: day(volume.last_call, project.timezone),
              })}
        </p>
        <p>{scope.roles.length === 0 ? t('key.noRoles') : t('key.roles', { roles: scope.roles.join(', ') })}</p>
        <p className="muted">{t('key.revoked')}</p>
      </section>
    </>
  )
}
