import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NewCalls } from '../../app/new-calls.js'
import { asking, useContextAnswer } from '../../app/queries.js'
import { useTitle } from '../../app/use-title.js'
import { Spark } from '../../charts/spark.js'
import { Figure } from '../../look/figure.js'
import { clock, day, fixed, signed, UNKNOWN } from '../../look/format.js'
import { Bones, ErrorNote, Note } from '../../look/notes.js'
import { ChooseDays, useDays } from './choose-days.js'
import { Habits } from './habits.js'
import type { Agent } from './performance.js'

const SCORES = [1, 5] as const

/** One agent: how the calls go, what the agent does more or less often than others, and where to hear it. */
export function AgentScreen() {
  const { t } = useTranslation()
  const { agent_name: name } = useParams({ from: '/agents/$agent_name' })
  const search = useSearch({ from: '/agents/$agent_name' })
  const navigate = useNavigate({ from: '/agents/$agent_name' })
  const days = useDays(search)
  const { scope, project } = useContextAnswer()
  useTitle(name)
  const found = useQuery(
    asking('get_agent_performance', {
      agent_name: name,
      date_from: days.from,
      date_to: days.to,
      interval: 'week',
      min_calls: 1,
      include_signals: true,
      all_signals: true,
      examples: 3,
    }),
  )
  // Two agents may have one name.
  const agents = found.data?.agents ?? []
  const calls = agents.reduce((sum, one) => sum + one.calls, 0)
  const isAlone = scope.allowed_agents.length === 1
  const dates = { from: day(`${days.from}T12:00Z`, 'UTC'), to: day(`${days.to}T12:00Z`, 'UTC') }
  return (
    <>
      <Link to="/agents" search={{ last: search.last }} className="small back">
        ← {t('agent.back')}
      </Link>
      <div className="page-head">
        <h1>{name}</h1>
        <span className="lead">
          {agents.length > 0 && `${t('agent.lead', { count: calls, ...dates })} · `}
          {project.timezone}
        </span>
        <div className="right">
          <ChooseDays days={days} choose={last => void navigate({ search: { last }, replace: true })} />
          <button type="button" className="button" onClick={() => print()}>
            {t('agent.print')}
          </button>
          <Link to="/calls" search={{ agent_name: name, date_from: days.from, date_to: days.to }} className="button">
            {t('agent.calls')}
          </Link>
        </div>
      </div>
      {found.isPending && (
        <div className="panel">
          <Bones rows={10} height={44} />
        </div>
      )}
      {found.isError && <ErrorNote error={found.error} retry={() => void found.refetch()} />}
      {found.data !== undefined &&
        (agents.length === 0 ? (
          <Note title={t('agent.missing', { agent: name })}>
            <Link to="/agents" className="button">
              {t('agent.back')}
            </Link>
          </Note>
        ) : (
          <div className="stack">
            {agents.map(one => (
              <div key={one.agent_id} className="stack">
                {agents.length > 1 && <h2>{one.agent_id}</h2>}
                <Figures agent={one} all={isAlone ? undefined : found.data.scope_average} />
                <Habits agent={one} isAlone={isAlone} />
              </div>
            ))}
          </div>
        ))}
      <NewCalls
        filters={{ agent_name: name, date_from: days.from, date_to: days.to }}
        shown={found.data === undefined ? undefined : calls}
      />
    </>
  )
}

interface FiguresProps {
  readonly agent: Agent
  /** All calls in scope, where they are more than this agent's. */
  readonly all:
    | Pick<Agent, 'average_score' | 'average_predicted_csat' | 'average_lift' | 'average_duration_s'>
    | undefined
}

function Figures({ agent, all }: FiguresProps) {
  const { t } = useTranslation()
  const two = (one: number | undefined) => fixed(one, 2)
  const beside = (value: number | undefined, show: (one: number | undefined) => string) =>
    all === undefined || value === undefined ? undefined : t('agent.all', { value: show(value) })
  const { previous, trend = [] } = agent
  const weeks = trend.map(step => `${step.period} ${two(step.average_score)}`).join(', ')
  return (
    <ul className="cards five">
      <li className="panel card">
        <Figure
          name={t('agent.score')}
          value={agent.average_score}
          interval={agent.score_interval_95}
          n={agent.scored_calls}
          beside={beside(all?.average_score, two)}
        />
        {previous?.average_score !== undefined && (
          <div className="small muted">
            {t('agent.before', { value: two(previous.average_score), count: previous.scored_calls })}
          </div>
        )}
      </li>
      <li className="panel card">
        <div className="figure-name">{t('agent.trend')}</div>
        {trend.length > 1 ? (
          <>
            <Spark
              values={trend.map(step => step.average_score)}
              scale={SCORES}
              label={t('agents.trendOf', { agent: agent.agent_name, values: weeks })}
            />
            <div className="trend-ends small muted">
              <span>
                {weekOf(trend[0])} · {two(trend[0]?.average_score)}
              </span>
              <span>
                {weekOf(trend.at(-1))} · {two(trend.at(-1)?.average_score)}
              </span>
            </div>
          </>
        ) : (
          <div className="muted">{UNKNOWN}</div>
        )}
      </li>
      <li className="panel card">
        <Figure
          name={t('agent.csat')}
          value={agent.average_predicted_csat}
          interval={agent.csat_interval_95}
          n={agent.csat_calls}
          beside={beside(all?.average_predicted_csat, two)}
        />
      </li>
      <li className="panel card">
        <Figure
          name={t('agent.lift')}
          value={agent.average_lift}
          interval={agent.lift_interval_95}
          n={agent.lift_calls}
          show={signed}
          beside={beside(all?.average_lift, signed)}
        />
      </li>
      <li className="panel card">
        <Figure
          name={t('agent.length')}
          value={agent.average_duration_s}
          n={agent.duration_calls}
          show={clock}
          beside={beside(all?.average_duration_s, clock)}
        />
      </li>
    </ul>
  )
}

/** Which week a step is of: 2026-W44 as W44, which the period above it gives a year. */
function weekOf(step: { readonly period: string } | undefined): string | undefined {
  return step?.period.replace(/^\d{4}-/, '')
}
