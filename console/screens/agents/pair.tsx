import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { fixed } from '../../look/format.js'
import type { Agent } from './performance.js'

interface PairProps {
  readonly agents: readonly Agent[]
  readonly search: { readonly a?: string | undefined; readonly b?: string | undefined }
}

/** Two agents held against each other: whether their calls tell them apart. */
export function Pair({ agents, search }: PairProps) {
  const { t } = useTranslation()
  const navigate = useNavigate({ from: '/agents' })
  const one = agents.find(({ agent_name: name }) => name === search.a)
  const other = agents.find(({ agent_name: name }) => name === search.b)
  const choice = (side: 'a' | 'b') => (
    <label>
      <span className="visually-hidden">{t(side === 'a' ? 'agents.pair.one' : 'agents.pair.other')}</span>
      <select
        className="select"
        value={search[side] ?? ''}
        onChange={event =>
          void navigate({ search: { ...search, [side]: event.target.value }, replace: true, resetScroll: false })
        }
      >
        <option value="">{t('agents.pair.choose')}</option>
        {agents.map(agent => (
          <option key={`${agent.agent_id} ${agent.agent_name}`} value={agent.agent_name}>
            {agent.agent_name}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <section className="panel pair" aria-labelledby="pair-title">
      <h2 id="pair-title">{t('agents.pair.title')}</h2>
      <div className="pair-choices">
        {choice('a')} <span className="muted">{t('agents.pair.and')}</span> {choice('b')}
      </div>
      <p role="status">{one !== undefined && other !== undefined && <Verdict one={one} other={other} />}</p>
    </section>
  )
}

/** Intervals that do not touch are further apart than chance brings; those that do leave it open. */
function Verdict({ one, other }: { readonly one: Agent; readonly other: Agent }) {
  const { t } = useTranslation()
  if (one === other) return t('agents.pair.same')
  const [low, high] = one.score_interval_95 ?? []
  const [otherLow, otherHigh] = other.score_interval_95 ?? []
  if (low === undefined || high === undefined || otherLow === undefined || otherHigh === undefined)
    return t('agents.pair.unknown')
  const isApart = high < otherLow || otherHigh < low
  const [better, worse] = (one.average_score ?? 0) >= (other.average_score ?? 0) ? [one, other] : [other, one]
  const said = (agent: Agent) =>
    t('agents.pair.of', {
      agent: agent.agent_name,
      value: fixed(agent.average_score, 2),
      low: fixed(agent.score_interval_95?.[0], 2),
      high: fixed(agent.score_interval_95?.[1], 2),
      count: agent.scored_calls,
    })
  return (
    <>
      <b className={isApart ? '' : 'muted'}>
        {isApart
          ? t('agents.pair.apart', { better: better.agent_name, worse: worse.agent_name })
          : t('agents.pair.notApart', { better: better.agent_name, worse: worse.agent_name })}
      </b>{' '}
      {said(better)}; {said(worse)}.
    </>
  )
}
