import { describe, expect, test } from 'vitest'
import { mapClaims, readSsoMapping } from '../../src/oauth/sso-mapping.js'

const mapping = readSsoMapping(`
rules:
  - when: { groups: [north, nord] }
    project: shop
    teams: [north]
    agents: [Ana]
  - when: { realm_access.roles: lead, groups: north }
    project: shop
    roles: [Supervisor]
    agents: [Ben, Ana]
    text: none
  - when: { groups: other }
    project: other
    full_project: true
  - when: { 'https://example.com/role': boss }
    project: shop
    full_project: true
    roles: [Admin]
`)

describe('claims', () => {
  test('of every rule of the first one’s project are added up, text: none of any holds', () => {
    expect(mapClaims(mapping, { groups: ['other', 'north'], realm_access: { roles: ['lead'] } })).toEqual({
      project_id: 'shop',
      allowed_agents: ['Ana', 'Ben'],
      teams: ['north'],
      full_project: false,
      roles: ['Supervisor'],
      text: 'none',
      rules: [1, 2],
    })
  })

  test('may be one value, any of several, or behind a name with dots', () => {
    expect(mapClaims(mapping, { groups: 'nord' })).toMatchObject({ rules: [1] })
    const boss = mapClaims(mapping, { groups: 'nord', 'https://example.com/role': 'boss' })
    expect(boss).toMatchObject({ full_project: true, allowed_agents: [], teams: [], roles: ['Admin'], rules: [1, 4] })
  })

  test.each<[string, Record<string, unknown>]>([
    ['none', {}],
    ['another', { groups: ['North', ' north', 'northern'] }],
    ['half of what a rule asks', { realm_access: { roles: ['lead'] } }],
    ['objects', { groups: [{ north: true }, ['north']] }],
    ['what is inherited', { constructor: 'x', toString: 'y' }],
    ['an address that is not verified', { groups: 'nord', email_verified: false }],
  ])('%s: refused', (_name, claims) => {
    expect(() => mapClaims(mapping, claims)).toThrow(/No rule here|verified/)
  })

  test('that name an address count for those that are verified alone', () => {
    const byMail = readSsoMapping('rules: [{ when: { email: lea@x }, project: p, agents: [Ana] }]')
    expect(mapClaims(byMail, { email: 'lea@x', email_verified: true }).project_id).toBe('p')
    expect(() => mapClaims(byMail, { email: 'lea@x' })).toThrow('verified')
    expect(() => mapClaims(byMail, { email: 'lea@x', email_verified: 'true' })).toThrow('verified')
  })
})

test.each([
  ['no YAML', '{', 'no YAML'],
  ['no rules', 'rules: []', 'rules'],
  ['a rule for everybody', 'rules: [{ when: {}, project: p, agents: [Ana] }]', 'everybody'],
  [
    'a rule that gives nothing',
    'rules: [{ when: { groups: a }, project: p }]',
    'must give agents, teams, or full_project',
  ],
  ['a word it does not know', 'rules: [{ when: { groups: a }, project: p, team: [a] }]', 'team'],
  ['a role that there is not', 'rules: [{ when: { groups: a }, project: p, teams: [a], roles: [Boss] }]', 'roles'],
])('a mapping with %s is refused, and says where', (_name, text, sentence) => {
  expect(() => readSsoMapping(text)).toThrow(sentence)
})
