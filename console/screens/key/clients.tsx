import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queries, useContextAnswer } from '../../app/queries.js'
import { type Client, clients, endClient } from '../../client/clients.js'
import { fullMoment } from '../../look/format.js'
import { ErrorNote } from '../../look/notes.js'

const QUERY_KEY = ['clients']

/** The AI clients that signed in with the key, or to an administrator all of the project's: what each hears, and an end to it. */
export function Clients() {
  const { t } = useTranslation()
  const { data } = useQuery({ queryKey: QUERY_KEY, queryFn: ({ signal }) => clients(signal) })
  const ending = useMutation({
    mutationFn: endClient,
    onSettled: () => queries.invalidateQueries({ queryKey: QUERY_KEY }),
  })
  // A key that may not ask for them has none to end.
  if (data === undefined) return null
  return (
    <section className="panel stack">
      <h2>{t('clients.title')}</h2>
      <p className="muted">{t(data.length === 0 ? 'clients.none' : 'clients.lead')}</p>
      {ending.error !== null && <ErrorNote error={ending.error} />}
      {data.length > 0 && (
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">{t('clients.program')}</th>
              <th scope="col">{t('clients.hears')}</th>
              <th scope="col">{t('clients.since')}</th>
              <th scope="col">{t('clients.used')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {data.map(one => (
              <Row key={one.connection_id} client={one} end={() => ending.mutate(one.connection_id)} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Row({ client, end }: { readonly client: Client; readonly end: () => void }) {
  const { t } = useTranslation()
  const { project } = useContextAnswer()
  const { client_name: name, redirect_host: host, created_at: since, last_used_at: used, agents, text } = client
  const left = [...(agents ?? []), ...(text === undefined ? [] : [t(`clients.text.${text}`)])]
  return (
    <tr>
      <th scope="row">
        {name === '' ? t('clients.nameless') : name} <span className="muted">{host}</span>
      </th>
      <td>{left.length === 0 ? t('clients.asTheKey') : left.join(', ')}</td>
      <td>{fullMoment(since, project.timezone)}</td>
      <td>{fullMoment(used, project.timezone)}</td>
      <td>
        <button type="button" className="link" aria-label={t('clients.endOf', { name })} onClick={end}>
          {t('clients.end')}
        </button>
      </td>
    </tr>
  )
}
