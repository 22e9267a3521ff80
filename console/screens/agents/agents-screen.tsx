import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ask } from '../../client/ask.js'
import type { Answer, Args } from '../../client/questions.js'
import { ChooseTeam } from '../../app/choose-team.js'
import { NewCalls } from '../../app/new-calls.js'
import { useContextAnswer } from '../../app/queries.js'
import { useTitle } from '../../app/use-title.js'
import { IntervalBar } from '../../charts/interval-bar.js'
import { Spark } from '../../charts/spark.js'
import { FEW_CALLS } from '../../look/figure.js'
import { fixed, UNKNOWN, whole } from '../../look/format.js'
import { Bones, ErrorNote, Note } from '../../look/notes.js'
import { allAgents } from './all-agents.js'
import { ChooseDays, useDays } from './choose-days.js'
import { Pair } from './pair.js'
import { type Agent, MIN_CALLS, scaleOf } from './performance.js'

/** The most that get_agent_performance gives at once. */
const PAGE_AGENTS = 200

/** How all agents are doing, page by page. */
function performanceOfAll(args: Omit<Args<'get_agent_performance'>, 'limit' | 'cursor'>) {
  return queryOptions<Answer<'get_agent_performance'>>({
    queryKey: ['get_agent_performance', 'all', args],
    queryFn: ({ signal }) =>
      allAgents(cursor => ask('get_agent_performance', { ...args, limit: PAGE_AGENTS, cursor }, signal)),
  })
}

/** Each agent with what the average may be; an order only as far as the calls tell one. */
export function AgentsScreen() {
  const { t } = useTranslation()
  useTitle(t('agents.title'))
  const search = useSearch({ from: '/agents' })
  const navigate = useNavigate({ from: '/agents' })
  const days = useDays(search)
  const { scope } = useContextAnswer()
  const found = useQuery(
    performanceOfAll({
      date_from: days.from,
      date_to: days.to,
      team: search.team,
      interval: 'week',
      min_calls: MIN_CALLS,
    }),
  )
  const agents = found.data?.agents.toSorted((a, b) => a.agent_name.localeCompare(b.agent_name)) ?? []
  const few = found.data?.below_min_calls ?? []
  const fewTotal = found.data?.below_min_calls_total ?? 0
  const isShared = sharedBy([...agents, ...few].map(one => one.agent_name))
  const isAlone = scope.allowed_agents.length === 1
  return (
    <>
      <div className="page-head">
        <h1>{t('agents.title')}</h1>
        <span className="lead">{isAlone ? t('agents.leadAlone') : t('agents.lead')}</span>
        <div className="right">
          <ChooseTeam
            team={search.team}
            choose={team => void navigate({ search: { ...search, team }, replace: true })}
          />
          <ChooseDays days={days} choose={last => void navigate({ search: { ...search, last }, replace: true })} />
        </div>
      </div>
      {found.isPending && (
        <div className="panel">
          <Bones rows={12} height={44} />
        </div>
      )}
      {found.isError && <ErrorNote error={found.error} retry={() => void found.refetch()} />}
      {found.data !== undefined && agents.length + few.length === 0 && <Note title={t('agents.empty')} />}
      {agents.length > 0 && found.data !== undefined && (
        <>
          {agents.length > 1 && <Pair agents={agents} search={search} />}
          <section className="panel" aria-label={t('agents.title')}>
            <Table
              agents={agents}
              total={found.data.total}
              isShared={isShared}
              reference={found.data.scope_average.average_score}
              last={search.last}
            />
          </section>
        </>
      )}
      {few.length > 0 && (
        <section className="panel few-agents" aria-labelledby="few-title">
          <h2 id="few-title">{t('agents.few', { count: MIN_CALLS })}</h2>
          {few.length < fewTotal && (
            <p className="small muted">{t('agents.notAllFew', { count: few.length, total: fewTotal })}</p>
          )}
          <ul className="names-line">
            {few.map(one => (
              <li key={`${one.agent_id} ${one.agent_name}`}>
                <Link to="/agents/$agent_name" params={{ agent_name: one.agent_name }} search={{ last: search.last }}>
                  {one.agent_name}
                </Link>{' '}
                <span className="muted small">
                  {isShared(one.agent_name) && <>{one.agent_id} · </>}
                  {t('figure.n', { count: one.calls })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <NewCalls filters={{ date_from: days.from, date_to: days.to }} shown={found.data?.scope_average.calls} />
    </>
  )
}

/** Tells which names a reader can't tell apart: two agents may have one, or two that differ in blanks only. */
function sharedBy(names: readonly string[]): (name: string) => boolean {
  const seen = (name: string) => name.replaceAll(/\s+/gu, ' ')
  const shown = names.map(seen)
  return name => shown.indexOf(seen(name)) !== shown.lastIndexOf(seen(name))
}

interface TableProps {
  readonly agents: readonly Agent[]
  /** How many there are, where more than are shown. */
  readonly total: number
  readonly isShared: (name: string) => boolean
  /** The average of all calls. */
  readonly reference: number | undefined
  readonly last: string | undefined
}

function Table({ agents, total, isShared, reference, last }: TableProps) {
  const { t } = useTranslation()
  const scale = scaleOf(agents)
  return (
    <>
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">{t('agents.columns.agent')}</th>
            <th scope="col" className="number">
              {t('agents.columns.calls')}
            </th>
            <th scope="col" className="chart">
              {t('agents.columns.score')}
            </th>
            <th scope="col" className="number">
              {t('agents.columns.value')}
            </th>
            <th scope="col">{t('agents.columns.place')}</th>
            <th scope="col" className="trend">
              {t('agents.columns.trend')}
            </th>
            <th scope="col" className="number">
              {t('agents.columns.csat')}
            </th>
          </tr>
        </thead>
        <tbody>
          {agents.map(one => {
            const [low, high] = one.score_interval_95 ?? []
            return (
              <tr key={`${one.agent_id} ${one.agent_name}`}>
                <td>
                  <Link to="/agents/$agent_name" params={{ agent_name: one.agent_name }} search={{ last }}>
                    {one.agent_name}
                  </Link>
                  {isShared(one.agent_name) && <div className="small muted">{one.agent_id}</div>}
                </td>
                <td className="number" data-name={t('agents.columns.calls')}>
                  {whole(one.calls)}
                </td>
                <td className="chart">
                  <IntervalBar
                    value={one.average_score}
                    interval={one.score_interval_95}
                    scale={scale}
                    reference={reference}
                    isFew={one.scored_calls < FEW_CALLS}
                    label={t('agents.scoreBar', {
                      agent: one.agent_name,
                      value: fixed(one.average_score, 2),
                      low: fixed(low, 2),
                      high: fixed(high, 2),
                      count: one.scored_calls,
                    })}
                  />
                </td>
                <td className="number" data-name={t('agents.columns.value')}>
                  {fixed(one.average_score, 2)}
                </td>
                <td data-name={t('agents.columns.place')} className="nowrap">
                  <Place of={total} interval={one.rank_interval_95} />
                </td>
                <td className="trend">
                  <Spark
                    values={one.trend?.map(step => step.average_score) ?? []}
                    scale={scale}
                    label={t('agents.trendOf', {
                      agent: one.agent_name,
                      values: one.trend?.map(step => `${step.period} ${fixed(step.average_score, 2)}`).join(', ') ?? '',
                    })}
                  />
                </td>
                <td className="number" data-name={t('agents.columns.csat')}>
                  {fixed(one.average_predicted_csat, 2)}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="small muted axis-note">
        {total > agents.length && <>{t('agents.notAll', { count: agents.length, total })} </>}
        {t('agents.axis', { low: fixed(scale[0]), high: fixed(scale[1]), average: fixed(reference, 2) })}{' '}
        {t('figure.fewHelp', { count: FEW_CALLS })}
      </p>
    </>
  )
}

/** Between which places the agent may be: never one number where the calls don't tell. */
function Place({ of, interval }: { readonly of: number; readonly interval: readonly number[] | undefined }) {
  const { t } = useTranslation()
  const [best, worst] = interval ?? []
  if (best === undefined || worst === undefined) return <span className="muted">{UNKNOWN}</span>
  if (best === 1 && worst === of) return <span className="muted">{t('agents.notApart')}</span>
  return best === worst ? t('agents.placeOne', { best, count: of }) : t('agents.place', { best, worst, count: of })
}
