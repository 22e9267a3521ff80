import { describe, expect, test } from 'vitest'
import { mapAdministrator, mapClaims, readSsoMapping } from '../../src/oauth/sso-mapping.js'

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

describe('administrators', () => {
  const administrators = readSsoMapping(`
email_domains: [example.com]
administrators:
  - when: { groups: cx-admins }
    role: Admin
    project: shop
  - when: { groups: platform }
    role: SuperAdmin
`)
  const lea = { email: 'lea@example.com', email_verified: true }

  test('are so by the first rule that matches, and nobody else is', () => {
    const of = (groups: readonly string[]) => mapAdministrator(administrators, { ...lea, groups })
    expect(of(['platform', 'cx-admins'])).toEqual({ role: 'Admin', project: 'shop', rule: 1 })
    expect(of(['platform'])).toEqual({ role: 'SuperAdmin', project: undefined, rule: 2 })
    expect(of(['Platform', 'leads'])).toBeUndefined()
    expect(
      mapAdministrator(mapping, { groups: 'nord', email_verified: false }),
      'where no rule makes any',
    ).toBeUndefined()
  })

  test.each<[string, Record<string, unknown>]>([
    ['not verified', { ...lea, email_verified: false }],
    ['not said to be verified', { email: lea.email }],
    ['of another domain', { ...lea, email: 'lea@evil.example' }],
  ])('with an address that is %s are refused', (_name, claims) => {
    expect(() => mapAdministrator(administrators, { ...claims, groups: 'platform' })).toThrow(/e-mail address/)
  })

  test.each([
    ['an Admin without a project', '[{ when: { groups: a }, role: Admin }]', /must name the project of an Admin/],
    ['everybody', '[{ when: {}, role: SuperAdmin }]', /everybody/],
    ['another role', '[{ when: { groups: a }, role: Root, project: shop }]', /administrators/],
    ['nobody at all', '[]', /has no rule/],
  ])('a mapping that makes one of %s is refused', (_name, written, reason) => {
    expect(() => readSsoMapping(`administrators: ${written}`)).toThrow(reason)
  })
})
