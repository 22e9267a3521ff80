import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ChooseTeam } from '../../app/choose-team.js'
import { NewCalls } from '../../app/new-calls.js'
import { asking, useContextAnswer } from '../../app/queries.js'
import { recentDays } from '../../app/recent-days.js'
import { useTitle } from '../../app/use-title.js'
import { Bones, ErrorNote } from '../../look/notes.js'
import { Found, FoundLead } from './found.js'

const LENGTHS = [7, 14, 30, 90] as const
const USUAL = 14

/** Two periods side by side: what is different beyond chance, and what would have been seen. */
export function ChangesScreen() {
  const { t } = useTranslation()
  useTitle(t('changes.title'))
  const context = useContextAnswer()
  const search = useSearch({ from: '/changes' })
  const navigate = useNavigate({ from: '/changes' })
  const length = LENGTHS.find(one => String(one) === search.last) ?? USUAL
  const { from, to } = recentDays(context, length)
  const found = useQuery(
    asking('detect_changes', {
      period: search.period ?? `${from} to ${to}`,
      baseline: search.baseline,
      agent_name: search.agent_name,
      team: search.team,
      examples: 0,
    }),
  )
  const set = (changed: typeof search) =>
    void navigate({ search: { ...search, ...changed }, replace: true, resetScroll: false })
  const names = [...new Set(context.agents.map(one => one.agent_name))].toSorted((a, b) => a.localeCompare(b))
  return (
    <>
      <div className="page-head">
        <h1>{t('changes.title')}</h1>
        <span className="lead" role="status">
          {found.data !== undefined && <FoundLead found={found.data} />}
        </span>
        <div className="right">
          <ChooseTeam team={search.team} choose={team => set({ team })} />
          {names.length > 1 && (
            <label>
              <span className="visually-hidden">{t('calls.filters.agent_name')}</span>
              <select
                className="select"
                value={search.agent_name ?? ''}
                onChange={event => set({ agent_name: event.target.value })}
              >
                <option value="">{t('changes.everybody')}</option>
                {names.map(name => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
          <label>
            <span className="visually-hidden">{t('changes.period')}</span>
            <select
              className="select"
              value={search.period === undefined ? length : ''}
              onChange={event => set({ last: event.target.value, period: '', baseline: '' })}
            >
              {search.period !== undefined && <option value="">{search.period}</option>}
              {LENGTHS.map(one => (
                <option key={one} value={one}>
                  {t(`dates.last${one}`)}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      {found.isPending && (
        <div className="panel">
          <Bones rows={8} height={56} />
        </div>
      )}
      {found.isError && <ErrorNote error={found.error} retry={() => void found.refetch()} />}
      {found.data !== undefined && <Found found={found.data} />}
      <NewCalls
        filters={{
          agent_name: search.agent_name,
          team: search.team,
          date_from: found.data?.window.from,
          date_to: found.data?.window.to,
        }}
        shown={found.data?.window.calls}
      />
    </>
  )
}
