import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KeyPatch, NewKey } from '../../src/access/key-fields.js'
import { scopeOf } from '../../src/access/scope-of.js'
import { newTeam, Teams } from '../../src/access/teams.js'
import { makeAccess, refusal } from '../support/access.js'

const admin = { name: 'ada@example.com', role: 'Admin' } as const
const fields: NewKey = {
  name: 'A lead',
  is_supervisor: true,
  roles: [],
  allowed_agents: [],
  require_mapping: false,
}

async function world() {
  const access = await makeAccess()
  const { teams, keys, gate } = access
  await teams.create('p1', newTeam.parse({ team_id: 'north', agents: ['Ana', 'Ben'] }), admin)
  const minted = await keys.mint('p1', { ...fields, teams: ['north'] }, admin)
  const entry = await gate.enter(`Bearer ${minted.key}`, '192.0.2.1')
  const agents = () => scopeOf(entry.current()).agents
  return { ...access, minted, entry, agents }
}

describe('a key with a team', () => {
  test('hears whoever is in it at the request, and a change of the team holds for the next', async () => {
    const { teams, agents, entry } = await world()
    expect(agents()).toEqual(['Ana', 'Ben'])
    const before = entry.current().terms?.since
    await teams.patch('p1', 'north', { agents: ['Cleo'] })
    expect(agents()).toEqual(['Cleo'])
    expect(entry.current().terms?.since).toBe(teams.get('p1', 'north').changed_at)
    expect(before).toBeDefined()
    await teams.patch('p1', 'north', { agents: [] })
    expect(agents()).toEqual([])
  })

  test('hears nobody by one that is removed, also when another project has one of its name', async () => {
    const { teams, agents } = await world()
    await teams.create('p2', newTeam.parse({ team_id: 'north', agents: ['Dora'] }), admin)
    await teams.remove('p1', 'north')
    expect(agents()).toEqual([])
    expect(await refusal(() => teams.remove('p1', 'north'))).toBe('not_found: Team not found: "north"')
  })

  test('hears by its own names and its teams together, and keeps both in a rotation', async () => {
    const { keys, minted, agents } = await world()
    await keys.patch('p1', minted.key_id, { allowed_agents: ['Cleo', 'Ana'] }, admin)
    expect(agents()).toEqual(['Cleo', 'Ana', 'Ben'])
    const rotated = await keys.rotate('p1', minted.key_id, 60, admin)
    expect(rotated).toMatchObject({ allowed_agents: ['Cleo', 'Ana'], teams: ['north'] })
  })

  test('is not minted for, or changed to, a team that is not there or is another project’s', async () => {
    const { keys, teams, minted } = await world()
    await teams.create('p2', newTeam.parse({ team_id: 'south' }), admin)
    const text = 'invalid_input: teams: the project has no team "south"'
    expect(await refusal(() => keys.mint('p1', { ...fields, teams: ['south'] }, admin))).toBe(text)
    expect(await refusal(() => keys.patch('p1', minted.key_id, { teams: ['south'] }, admin))).toBe(text)
  })

  test('that loses its last team hears the full project only if that is said', async () => {
    const { keys, minted, agents } = await world()
    const change = (patch: KeyPatch) => keys.patch('p1', minted.key_id, patch, admin)
    expect(await refusal(() => change({ teams: [] }))).toMatch(/^invalid_input: teams: .* require_mapping/)
    expect(agents()).toEqual(['Ana', 'Ben'])
    await change({ teams: [], allowed_agents: ['Cleo'] })
    expect(agents()).toEqual(['Cleo'])
    await change({ teams: ['north'], allowed_agents: [] })
    await change({ teams: [], require_mapping: true })
    expect(agents()).toEqual([])
    await change({ teams: ['north'] })
    await change({ teams: [], require_mapping: false })
    expect(agents()).toBe('all')
  })

  test('hears exactly what a key with the agents of its teams hears, whatever they are', async () => {
    const names = fc.uniqueArray(fc.constantFrom('Ana', 'Ben', 'Cleo', 'Dora', 'Eve'), { minLength: 0 })
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.array(names, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (own, lists, mapped) => {
          const { keys, teams } = await makeAccess()
          const ids = lists.map((_, i) => `t${i}`)
          await Promise.all(ids.map((team_id, i) => teams.create('p1', { team_id, agents: lists[i]! }, admin)))
          const rights = { ...fields, require_mapping: mapped }
          const byTeam = await keys.mint('p1', { ...rights, allowed_agents: own, teams: ids }, admin)
          const all = [...new Set([...own, ...lists.flat()])]
          // Nobody at all is never everybody.
          const byName = await keys.mint('p1', { ...rights, allowed_agents: all, require_mapping: true }, admin)
          const heard = (token: string) => scopeOf(keys.callerOf(keys.resolve(token)!))
          expect(heard(byTeam.key)).toEqual(heard(byName.key))
        },
      ),
      { numRuns: 60 },
    )
  })
})

test('teams outlive a restart, and one that could not be written is not there', async () => {
  const { store, teams } = await world()
  store.failing = true
  await expect(teams.create('p1', { team_id: 'south', agents: [] }, admin)).rejects.toThrow('disk full')
  await expect(teams.patch('p1', 'north', { agents: ['Eve'] })).rejects.toThrow('disk full')
  expect(teams.list('p1').map(({ agents }) => agents)).toEqual([['Ana', 'Ben']])
  const again = await Teams.load({ store: store.teams })
  expect(again.list('p1')).toEqual(teams.list('p1'))
})
