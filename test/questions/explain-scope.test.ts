import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../src/access/caller.js'
import { explainMyScope } from '../../src/questions/explain-scope.js'
import { projectScope } from '../../src/questions/resources/project-scope.js'
import { type Asking, asking, caller } from '../support/asking.js'

let service: Asking
beforeAll(async () => {
  service = await asking()
  const call = (session_id: string, agent_name: string, day: string) => ({
    session_id,
    agent_name,
    created_dt: `2026-03-${day}T10:00:00Z`,
  })
  await service.import('p', [call('a', 'Ana', '01'), call('b', 'Ana', '03'), call('c', 'Ben', '02')])
})
afterAll(() => service.close())

const explained = (who: Caller) => service.ask(explainMyScope, {}, who)
const rulesOf = (statements: readonly { readonly rule: string }[]) => statements.map(({ rule }) => rule)

describe('what a caller hears', () => {
  test('of a key with agents: theirs, by their names, since the key says so', async () => {
    const narrow = caller({ allowed_agents: ['Ana', 'Nobody'], require_mapping: true, roles: [] })
    const terms = { since: '2026-02-01T00:00:00.000Z', until: '2026-05-01T00:00:00.000Z', networks: ['192.0.2.0/24'] }
    const told = await explained({ ...narrow, terms })
    expect(told).toMatchObject({
      asked_by: { kind: 'application_key', name: 'test', key_id: 'key_1' },
      hears: 'agents',
      since: terms.since,
      until: terms.until,
      calls: 2,
      first_call: '2026-03-01T10:00:00.000Z',
      last_call: '2026-03-03T10:00:00.000Z',
      agents: [
        { agent_name: 'Ana', calls: 2 },
        { agent_name: 'Nobody', calls: 0 },
      ],
    })
    expect(rulesOf(told.rules)).toEqual(['allowed_agents', 'allowed_networks', 'expires_at'])
    expect(rulesOf(told.left_out)).toEqual(['project', 'allowed_agents', 'roles'])
    expect(told.tools).not.toContain('query_user_activity')
  })

  test('of a key for the project: all of it, and nothing is left out but other projects', async () => {
    const told = await explained(caller())
    expect(told).toMatchObject({ hears: 'full_project', calls: 3, agents_total: 2 })
    expect([rulesOf(told.rules), rulesOf(told.left_out)]).toEqual([['full_project', 'roles'], ['project']])
  })

  test('of one that must be mapped and is not: nothing, and why', async () => {
    const told = await explained(caller({ require_mapping: true, is_supervisor: true }))
    expect(told).toMatchObject({ hears: 'nothing', calls: 0, agents: [] })
    expect(rulesOf(told.rules)[0]).toBe('require_mapping')
  })

  test('of one that is told of groups: no count of calls', async () => {
    const told = await explained(caller({ min_group: 5, allowed_agents: ['Ana'] }))
    expect(told).toMatchObject({ hears: 'groups', agents: [{ agent_name: 'Ana' }] })
    expect(JSON.stringify(told)).not.toMatch(/"calls"|_call"/)
    expect(rulesOf(told.left_out)).toContain('min_group')
  })

  test.each<[Parameters<typeof caller>[0], readonly object[], number | undefined]>([
    [{ tools: ['get_signals'] }, [], undefined],
    [
      { tools: ['get_signals'], allowed_agents: ['Ana', 'Nobody'] },
      [{ agent_name: 'Ana' }, { agent_name: 'Nobody' }],
      2,
    ],
    [{ tools: ['search_calls'], require_mapping: true }, [], 0],
  ])(
    'of one that names its tools (%j): what the key says, and nothing that calls tell',
    async (more, agents, total) => {
      const told = await explained(caller(more))
      expect(told.agents).toEqual(agents)
      expect(told.agents_total).toBe(total)
      expect(JSON.stringify(told)).not.toMatch(/"calls"|_call"/)
      expect(rulesOf(told.rules)).toContain('tools')
    },
  )

  test('of one that sees no text: that, and which', async () => {
    const told = await explained(caller({ text: 'none' }))
    expect(told.left_out.find(({ rule }) => rule === 'text')?.says).toContain('Transcripts')
  })

  test.each<[string, Parameters<typeof caller>[0], readonly string[]]>([
    ['an administrator’s key', {}, ['give_feedback', 'answer_feedback', 'import_calls']],
    ['a supervisor’s key', { roles: ['Supervisor'], is_supervisor: false }, ['give_feedback', 'answer_feedback']],
    ['a key marked as a supervisor’s, without the role,', { roles: [], is_supervisor: true }, ['give_feedback']],
    ['a key of some agents', { allowed_agents: ['Ana'] }, ['give_feedback', 'answer_feedback']],
    ['a key that reads', { read_only: true }, []],
    ['a key that sees no text', { text: 'none' }, []],
    ['a key of some tools', { tools: ['search_calls'] }, []],
  ])('what else %s may do is told as it is', async (_, more, may) => {
    expect((await explained(caller({ roles: ['Admin'], ...more }))).may).toEqual(may)
  })

  test('of one that has had its day: the same, but what calls tell; where its last question paid for it, that too', async () => {
    const who = {
      ...caller(),
      credential_id: 'key_2',
      terms: { since: '2026-02-01T00:00:00.000Z', budget: { questions: 1 } },
    }
    expect(await explained(who)).toMatchObject({ calls: 3 })
    const read = () => service.answering.read(projectScope, who, { project_id: 'p' }, { requestId: 'r' })
    expect(await read()).toMatchObject({ calls: 3 })
    await expect(read()).rejects.toThrow('1 questions')
    const told = await explained(who)
    expect(told).toMatchObject({ hears: 'full_project', agents: [] })
    expect(JSON.stringify(told)).not.toMatch(/"calls"|_call"|agents_total/)
  })

  test('is the same in the resource, and no other project’s', async () => {
    const who = caller({ allowed_agents: ['Ben'] })
    const read = (project_id: string) => service.answering.read(projectScope, who, { project_id }, { requestId: 'r' })
    expect(await read('p')).toEqual(await explained(who))
    await expect(read('other')).rejects.toThrow('Resource not found')
  })
})
