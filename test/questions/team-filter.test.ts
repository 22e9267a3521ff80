import { afterAll, beforeAll, expect, test } from 'vitest'
import { detectChanges } from '../../src/questions/detect-changes.js'
import { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import { getProjectContext } from '../../src/questions/get-project-context.js'
import { searchCalls } from '../../src/questions/search-calls.js'
import type { TeamRecord } from '../../src/store/records/team.js'
import { type Asking, asking, caller } from '../support/asking.js'

const team = (id: string, agents: readonly string[], project = 'p'): TeamRecord => ({
  team_id: id,
  project_id: project,
  name: `Team ${id}`,
  agents,
  created_at: '2026-01-01T00:00:00.000Z',
  created_by: 'ada@example.com',
})

const teams = [team('north', ['Ana', 'Ben']), team('south', ['Cleo']), team('empty', []), team('far', ['Ana'], 'other')]

let service: Asking
beforeAll(async () => {
  service = await asking('UTC', {
    teams: {
      find: (project, id) => teams.find(one => one.project_id === project && one.team_id === id),
      list: project => teams.filter(one => one.project_id === project),
    },
  })
  const agents = ['Ana', 'Ana', 'Ben', 'Cleo', 'Dora']
  await service.import(
    'p',
    agents.map((agent_name, i) => ({
      session_id: `s${i}`,
      agent_name,
      created_dt: `2026-03-1${i}T09:00:00Z`,
      score: 4,
    })),
  )
})
afterAll(() => service.close())

const ana = caller({ allowed_agents: ['Ana'] })
const idsOf = async (args: object, who = caller()) =>
  (await service.ask(searchCalls, { sort: 'date_asc', ...args }, who)).calls.map(one => one.session_id)

test('finds the calls of its agents, and with other filters those that meet both', async () => {
  expect(await idsOf({ team: 'north' })).toEqual(['s0', 's1', 's2'])
  expect(await idsOf({ team: 'north', agent_name: 'Ben' })).toEqual(['s2'])
  expect(await idsOf({ team: 'south', agent_name: 'Ben' })).toEqual([])
  expect(await idsOf({ team: 'empty' })).toEqual([])
})

test('agents and changes are those of the team', async () => {
  const { agents } = await service.ask(getAgentPerformance, { team: 'north', min_calls: 1 })
  expect(agents.map(one => one.agent_name).toSorted()).toEqual(['Ana', 'Ben'])
  const periods = { period: '2026-03-10 to 2026-03-15', baseline: '2026-02-01 to 2026-02-10' }
  const all = await service.ask(detectChanges, periods)
  const north = await service.ask(detectChanges, { ...periods, team: 'north' })
  expect([all.window.calls, north.window.calls]).toEqual([5, 3])
})

test('a narrowed caller hears of a team no more than of its own agents in it', async () => {
  expect(await idsOf({ team: 'north' }, ana)).toEqual(['s0', 's1'])
  const asked = async (id: string, who = ana) =>
    await idsOf({ team: id }, who).catch((error: unknown) => (error as Error).message)
  const unknown = (id: string) => `Argument "team" "${id}" is no team with agents you hear; teams are "north"`
  // One without her, one that is another project's and one that nobody has.
  for (const id of ['south', 'empty', 'far', 'none']) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await asked(id)).toBe(unknown(id))
  }
  expect(await asked('none', caller({ allowed_agents: ['Nobody'] }))).toContain('; there are none')
})

test('the context lists teams with how many of their agents are heard', async () => {
  const listed = async (who = caller()) => (await service.ask(getProjectContext, {}, who)).teams
  expect(await listed()).toEqual([
    { team_id: 'north', name: 'Team north', agents: 2 },
    { team_id: 'south', name: 'Team south', agents: 1 },
  ])
  expect(await listed(ana)).toEqual([{ team_id: 'north', name: 'Team north', agents: 1 }])
  expect(await listed(caller({ allowed_agents: ['Nobody'] }))).toBeUndefined()
})
