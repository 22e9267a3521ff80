import { expect, test } from 'vitest'
import type { AccessScope, Caller } from '../../src/access/caller.js'
import { connectedCaller } from '../../src/access/connected-caller.js'
import type { Narrowing } from '../../src/store/oauth-store.js'

const heard = (of: Partial<AccessScope>, narrowing?: Narrowing): AccessScope => {
  const ofKey = { is_supervisor: true, roles: ['Admin'], allowed_agents: [], require_mapping: false, text: 'full' }
  const caller = { project_id: 'p', access_scope: { ...ofKey, ...of } } as unknown as Caller
  return connectedCaller(caller, { since: '2026-01-01T00:00:00.000Z', ...(narrowing && { narrowing }) }).access_scope
}

test.each<[string, Partial<AccessScope>, Narrowing, readonly string[]]>([
  ['of a key for the project, those that were chosen', {}, { agents: ['Ana'] }, ['Ana']],
  [
    'of a key with agents, those that both name',
    { allowed_agents: ['Ana', 'Ben'] },
    { agents: ['Ben', 'Cem'] },
    ['Ben'],
  ],
  ['nobody, where the two share none', { allowed_agents: ['Ana'] }, { agents: ['Ben'] }, []],
  ['nobody, where the key must name somebody and does not', { require_mapping: true }, { agents: ['Ana'] }, []],
  ['nobody, where nobody was chosen', {}, { agents: [] }, []],
])('a client hears %s', (_name, ofKey, narrowing, agents) => {
  expect(heard(ofKey, narrowing)).toMatchObject({ allowed_agents: agents, require_mapping: true })
})

test('it sees the lesser of what the key sees and what was chosen of texts, and changes nothing', () => {
  const least = (text: AccessScope['text'], most?: 'none' | 'masked') =>
    heard({ text }, most === undefined ? {} : { text: most }).text
  expect([least('full'), least('full', 'masked'), least('full', 'none')]).toEqual(['full', 'masked', 'none'])
  expect([least('masked'), least('masked', 'none'), least('none', 'masked')]).toEqual(['masked', 'none', 'none'])
  expect(heard({})).toMatchObject({ read_only: true, allowed_agents: [], require_mapping: false, roles: ['Admin'] })
})

test('a role opens nothing to a client that was let in for less, and the one that takes calls away stays', () => {
  const roles = (of: readonly string[], narrowing?: Narrowing) => heard({ roles: of }, narrowing).roles
  expect(roles(['Admin', 'Supervisor'], { agents: ['Ana'] })).toEqual([])
  expect(roles(['Admin'], { text: 'masked' })).toEqual([])
  expect(roles(['Admin', 'Auditor'], { text: 'none' })).toEqual(['Auditor'])
  expect(roles(['Admin'], {})).toEqual(['Admin'])
  expect(roles(['Admin'])).toEqual(['Admin'])
})
