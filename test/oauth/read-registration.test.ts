import { expect, test } from 'vitest'
import { hostOf } from '../../src/oauth/connections.js'
import { readRegistration } from '../../src/oauth/read-registration.js'

const REDIRECT = 'http://127.0.0.1:9/callback'
const read = (more: object) => readRegistration({ redirect_uris: [REDIRECT], ...more })

test.each([
  { client_uri: '' },
  { client_uri: null },
  { client_name: null },
  { client_name: ' ' },
  { software_id: null },
  { software_version: 7 },
  { grant_types: null },
  { application_type: 'browser' },
  { logo_uri: '' },
])('what a registration says otherwise than it should, and need not say, does not end it: %j', more => {
  expect(read(more)).toEqual(read({}))
})

test('a name that is too long is cut, between characters', () => {
  const named = (client_name: string) =>
    (read({ client_name }) as { metadata: { client_name: string } }).metadata.client_name
  expect(named('a'.repeat(201))).toBe('a'.repeat(200))
  expect(named('a'.repeat(200))).toBe('a'.repeat(200))
  expect([named(`a${'🦉'.repeat(100)}`), named('🦉'.repeat(100))]).toEqual([`a${'🦉'.repeat(99)}`, '🦉'.repeat(100)])
})

test.each([
  'https:a.example/back',
  'https:/a.example/back',
  'https://a.example/\nback',
  ' https://a.example/back',
  'https://a.example/ back',
  'http:127.0.0.1/back',
  'view-source://https://a.example',
  'chrome-extension://abc/back',
  'ms-settings://privacy',
])('an address that others read otherwise, or that leads to no program, is refused: %j', address => {
  expect(read({ redirect_uris: [address] })).toMatchObject({ error: 'invalid_redirect_uri' })
})

test('an address is taken however its scheme is written', () => {
  expect(read({ redirect_uris: ['HTTPS://a.example/back', 'Cursor://anysphere.cursor-mcp/back'] })).toHaveProperty(
    'metadata',
  )
})

test('a scheme that is a domain’s may have its path behind one slash, and no other may', () => {
  expect(read({ redirect_uris: ['com.example.app:/oauth2redirect'] })).toHaveProperty('metadata')
  for (const near of ['cursor:/callback', 'com.example.app:callback', 'javascript:/x', 'com.example.app:/x#y'])
    expect(read({ redirect_uris: [near] }), `${near} is refused`).toMatchObject({ error: 'invalid_redirect_uri' })
  expect(hostOf('com.example.app:/oauth2redirect')).toBe('com.example.app:')
  expect(hostOf('cursor://anysphere.cursor-mcp/oauth/callback')).toBe('cursor://')
})
