import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { changesInput, detectChanges } from '../../src/questions/detect-changes.js'
import { getAgent } from '../../src/questions/get-agent.js'
import { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import { getProjectContext } from '../../src/questions/get-project-context.js'
import { getProjectSummary } from '../../src/questions/get-project-summary.js'
import { getScoreDistribution } from '../../src/questions/get-score-distribution.js'
import { listAgents } from '../../src/questions/list-agents.js'
import { listInteractions } from '../../src/questions/list-interactions.js'
import { searchCalls } from '../../src/questions/search-calls.js'
import { type Asking, asking, caller } from '../support/asking.js'
import { call } from '../support/call.js'

const trusted = (level: 'low' | 'medium' | 'high', score: number) => ({
  score,
  trust: { level, reasons: level === 'high' ? [] : [`${level} for a reason`] },
})
const calls = [
  call('sure', { agent_id: 'ann', ...trusted('high', 5) }),
  call('fair', { agent_id: 'ann', ...trusted('medium', 4) }),
  call('poor', { agent_id: 'ann', created_dt: '2026-03-05T10:00:00Z', ...trusted('low', 1) }),
  call('elsewhere', { agent_id: 'ann', score: 3 }),
]

let service: Asking
beforeAll(async () => {
  const project = (project_id: string) => ({
    project_id,
    name: project_id,
    timezone: 'UTC',
    verticals: [],
    created_at: '2026-01-01T00:00:00.000Z',
    ...(project_id === 'strict' ? { doubtful: 'left_out' as const } : {}),
  })
  service = await asking('UTC', { project })
  for (const id of ['p', 'strict']) await service.import(id, calls)
})
afterAll(() => service.close())

const inProject = (projectId: string) => caller({}, projectId)

describe('calls by how far their evaluation can be relied on', () => {
  test.each<[object, string[]]>([
    [{ min_trust: 'low' }, ['elsewhere', 'fair', 'poor', 'sure']],
    [{ min_trust: 'medium' }, ['elsewhere', 'fair', 'sure']],
    [{ min_trust: 'high' }, ['elsewhere', 'sure']],
    [{ max_trust: 'low' }, ['poor']],
    [{ max_trust: 'medium' }, ['fair', 'poor']],
    [{ min_trust: 'medium', max_trust: 'medium' }, ['fair']],
  ])('%j', async (args, expected) => {
    const searched = await service.ask(searchCalls, args, inProject('p'))
    expect(searched.calls.map(one => one.session_id).toSorted()).toEqual(expected)
    const listed = await service.ask(listInteractions, args, inProject('p'))
    expect(listed.interactions.map(one => one.session_id).toSorted()).toEqual(expected)
  })

  it('are listed for review with what speaks against them, and otherwise without', async () => {
    const review = await service.ask(searchCalls, { max_trust: 'low' }, inProject('p'))
    expect(review.calls.map(({ doubts }) => doubts)).toEqual([['low for a reason']])
    const all = await service.ask(searchCalls, {}, inProject('p'))
    expect(all.calls.some(({ doubts }) => doubts !== undefined)).toBe(false)
  })
})

describe('figures', () => {
  const figures = async (project: string, args: object) => {
    const who = inProject(project)
    const summary = await service.ask(getProjectSummary, args, who)
    const performance = await service.ask(getAgentPerformance, { min_calls: 1, ...args }, who)
    const distribution = await service.ask(getScoreDistribution, args, who)
    const agent = await service.ask(getAgent, { agent_id: 'ann', ...args }, who)
    return [
      summary.average_score,
      performance.agents[0]?.average_score,
      performance.scope_average.average_score,
      distribution.average_score,
      agent.average_score,
      summary.window.min_trust,
    ]
  }
  const all = 3.25
  const some = 4

  it.each([
    ['p', {}, [all, all, all, all, all, undefined]],
    ['p', { min_trust: 'medium' }, [some, some, some, some, some, 'medium']],
    ['strict', {}, [some, some, some, some, some, 'medium']],
    ['strict', { min_trust: 'low' }, [all, all, all, all, all, 'low']],
  ] as const)('of project %s for %j', async (project, args, expected) => {
    expect(await figures(project, args)).toEqual(expected)
  })

  it('that take no arguments follow the project; what is searched for does not', async () => {
    const of = async (project: string) => {
      const { agents } = await service.ask(listAgents, {}, inProject(project))
      const { score } = await service.ask(getProjectContext, {}, inProject(project))
      return [agents[0]?.average_score, score]
    }
    const [lenient, strict] = [await of('p'), await of('strict')]
    expect(lenient).toEqual([all, expect.objectContaining({ average: all, scored_calls: 4 })])
    expect(strict).toEqual([some, expect.objectContaining({ average: some, scored_calls: 3 })])
    expect((await service.ask(searchCalls, {}, inProject('strict'))).total).toBe(4)
  })

  it('of changes leave them out too', async () => {
    const asked = async (args: object) => {
      const { window } = await service.ask(detectChanges, { period: '2026-03', ...args }, inProject('strict'))
      return window.calls
    }
    expect(changesInput.safeParse({ period: '2026-03', min_trust: 'none' }).success).toBe(false)
    expect([await asked({}), await asked({ min_trust: 'low' })]).toEqual([3, 4])
  })

  it('of a period in which nothing can be relied on do not say that it has no calls', async () => {
    const args = { min_trust: 'medium', date_from: '2026-03-05' }
    const summary = await service.ask(getProjectSummary, args, inProject('p'))
    expect([summary.calls, summary.why_empty]).toEqual([0, undefined])
  })
})
