import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { asking, useContextAnswer } from '../../app/queries.js'
import { useTitle } from '../../app/use-title.js'
import { day, fullMoment } from '../../look/format.js'
import { Bones, ErrorNote } from '../../look/notes.js'
import { Clients } from './clients.js'

/** What the key that is signed in hears, by which rule, and what is left out: in the service's own sentences. */
export function KeyScreen() {
  const { t } = useTranslation()
  useTitle(t('key.title'))
  const { project, scope: given } = useContextAnswer()
  const { data, error, isError, isPending, refetch } = useQuery(asking('explain_my_scope', {}))
  const isAdministrator = data?.asked_by.kind === 'admin_token'
  return (
    <>
      <div className="page-head">
        <h1>{t('key.title')}</h1>
        <span className="lead">{t('key.lead')}</span>
      </div>
      <div className="stack">
        {isPending && <Bones rows={6} />}
        {isError && <ErrorNote error={error} retry={() => void refetch()} />}
        {data !== undefined && (
          <section className="panel stack">
            <p>{t(isAdministrator ? 'key.administrator' : 'key.name', { name: data.asked_by.name })}</p>
            <Sentences title={t('key.hears')} said={data.rules} />
            <Sentences title={t('key.leftOut')} said={data.left_out} />
            {data.hears !== 'full_project' && data.agents.length > 0 && (
              <div>
                <h2>{t('key.agents')}</h2>
                <ul className="names">
                  {data.agents.map(({ agent_name: name }) => (
                    <li key={name}>{name}</li>
                  ))}
                </ul>
              </div>
            )}
            {data.calls !== undefined && (
              <p>
                {data.calls === 0
                  ? t('key.none')
                  : t('key.volume', {
                      count: data.calls,
                      first: day(data.first_call, project.timezone),
                      last: day(data.last_call, project.timezone),
                    })}
              </p>
            )}
            {given.roles.length === 0 && (
              <p>{t(data.may.includes('give_feedback') ? 'key.noRolesButSays' : 'key.noRoles')}</p>
            )}
            {data.since !== undefined && <p>{t('key.since', { at: fullMoment(data.since, project.timezone) })}</p>}
            {data.until !== undefined && <p>{t('key.until', { at: fullMoment(data.until, project.timezone) })}</p>}
            <p className="muted">{t(isAdministrator ? 'key.expires' : 'key.revoked')}</p>
          </section>
        )}
        <Clients />
      </div>
    </>
  )
}

interface SentencesProps {
  readonly title: string
  readonly said: readonly { readonly rule: string; readonly says: string }[]
}

function Sentences({ title, said }: SentencesProps) {
  return said.length === 0 ? null : (
    <div>
      <h2>{title}</h2>
      <ul className="sentences">
        {said.map(({ rule, says }) => (
          <li key={rule}>{says}</li>
        ))}
      </ul>
    </div>
  )
}
