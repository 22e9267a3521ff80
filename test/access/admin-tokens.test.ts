import { createHmac, generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, type JWK, SignJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AdminTokens } from '../../src/access/admin-tokens.js'
import { mintAdminToken } from '../../src/access/mint-admin-token.js'
import { refusal, SECRET, silent } from '../support/access.js'

const REFUSED = 'unauthenticated: Invalid admin token'
const NOW = Date.now()
const seconds = (ms: number) => Math.floor(ms / 1000)

/** A token with any header and claims, signed with any text by HMAC: what a forger can make. */
function forge(header: object, claims: object, secret: string = SECRET): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part(header)}.${part(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const claims = { sub: 'ada', role: 'Admin', current_project_id: 'p1', exp: seconds(NOW) + 600 }
const HS256 = { alg: 'HS256', typ: 'JWT' }

describe('admin tokens by a secret', () => {
  const tokens = AdminTokens.withSecret(SECRET, { log: silent, clock: () => NOW })

  it('takes what mintAdminToken makes, for an hour', async () => {
    const fields = { subject: 'ada', email: 'ada@example.com', role: 'Admin', projectId: 'p1' } as const
    const token = await mintAdminToken(SECRET, fields, NOW)
    expect(await tokens.verify(token)).toEqual({
      subject: 'ada',
      name: 'ada@example.com',
      role: 'Admin',
      current_project_id: 'p1',
      endsAt: seconds(NOW) * 1000 + 3_630_000,
    })
    const later = AdminTokens.withSecret(SECRET, { log: silent, clock: () => NOW + 3_600_000 + 32_000 })
    expect(await refusal(() => later.verify(token))).toBe(REFUSED)
  })

  it('takes tokens made elsewhere with the same secret, other claims ignored', async () => {
    expect(await tokens.verify(forge(HS256, { ...claims, iss: 'me', scope: 'x' }))).toMatchObject({ name: 'ada' })
    expect(await tokens.verify(forge(HS256, { ...claims, email: null, current_project_id: null }))).toEqual({
      subject: 'ada',
      name: 'ada',
      role: 'Admin',
      endsAt: seconds(NOW) * 1000 + 630_000,
    })
  })

  it('allows clocks to differ by 30 seconds', async () => {
    expect(await tokens.verify(forge(HS256, { ...claims, exp: seconds(NOW) - 25 }))).toBeDefined()
    expect(await tokens.verify(forge(HS256, { ...claims, nbf: seconds(NOW) + 25 }))).toBeDefined()
  })

  const none = forge({ alg: 'none' }, claims)
  it.each([
    ['no token at all', 'x'],
    ['five parts', 'a.b.c.d.e'],
    ['another secret', forge(HS256, claims, 'another secret that is as long as it must be')],
    ['alg none', none],
    ['alg none without a signature', none.slice(0, none.lastIndexOf('.') + 1)],
    ['alg None', forge({ alg: 'None' }, claims)],
    ['alg HS512', forge({ alg: 'HS512' }, claims)],
    ['alg RS256', forge({ alg: 'RS256' }, claims)],
    ['no alg', forge({}, claims)],
    ['a crit extension', forge({ ...HS256, crit: ['x'], x: 1 }, claims)],
    ['an unencoded payload', forge({ ...HS256, crit: ['b64'], b64: false }, claims)],
    ['an embedded key', forge({ ...HS256, jwk: { kty: 'oct', k: 'eA' } }, claims, 'x')],
    ['a key of a stranger by jku', forge({ ...HS256, jku: 'https://evil.example/keys' }, claims, 'x')],
    ['a certificate of a stranger by x5u', forge({ ...HS256, x5u: 'https://evil.example/cert' }, claims, 'x')],
    ['expired', forge(HS256, { ...claims, exp: seconds(NOW) - 31 })],
    ['no exp', forge(HS256, { ...claims, exp: undefined })],
    ['exp as text', forge(HS256, { ...claims, exp: String(claims.exp) })],
    ['exp in more than 24 hours', forge(HS256, { ...claims, exp: seconds(NOW) + 86_400 + 40 })],
    ['exp at the end of time', forge(HS256, { ...claims, exp: 1e300 })],
    ['not yet valid', forge(HS256, { ...claims, nbf: seconds(NOW) + 60 })],
    ['no sub', forge(HS256, { ...claims, sub: undefined })],
    ['an empty sub', forge(HS256, { ...claims, sub: ' ' })],
    ['a sub with a line feed', forge(HS256, { ...claims, sub: 'a\nb' })],
    ['sub as a list', forge(HS256, { ...claims, sub: ['ada'] })],
    ['no role', forge(HS256, { ...claims, role: undefined })],
    ['an unknown role', forge(HS256, { ...claims, role: 'Supervisor' })],
    ['a list of roles', forge(HS256, { ...claims, role: ['SuperAdmin'] })],
    ['a project that is no text', forge(HS256, { ...claims, current_project_id: { $ne: 1 } })],
  ])('refuses with one text: %s', async (_, token) => {
    expect(await refusal(() => tokens.verify(token))).toBe(REFUSED)
  })

  it('refuses other algorithms of the same secret, signed rightly', async () => {
    const key = Buffer.from(SECRET)
    for (const alg of ['HS384', 'HS512']) {
      const token = await new SignJWT(claims).setProtectedHeader({ alg }).sign(key)
      expect(await refusal(() => tokens.verify(token))).toBe(REFUSED)
    }
  })

  it('refuses a token with one bit of its payload changed', async () => {
    const [head, payload, signature] = forge(HS256, claims).split('.') as [string, string, string]
    const changed = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...changed, role: 'SuperAdmin' })).toString('base64url')
    expect(await refusal(() => tokens.verify(`${head}.${forged}.${signature}`))).toBe(REFUSED)
  })

  it('obeys the setting for how far ahead exp may be', async () => {
    const strict = AdminTokens.withSecret(SECRET, { log: silent, clock: () => NOW, maxLifetimeS: 300 })
    expect(await refusal(() => strict.verify(forge(HS256, claims)))).toBe(REFUSED)
  })

  it('is not made with a secret below 32 bytes', () => {
    expect(() => AdminTokens.withSecret('x'.repeat(31), { log: silent })).toThrow('at least 32 bytes')
    expect(AdminTokens.withSecret('é'.repeat(16), { log: silent })).toBeDefined()
  })

  it('logs the cause, never the token', async () => {
    const warn = vi.fn<(...args: unknown[]) => void>()
    const token = forge(HS256, { ...claims, exp: 1 })
    await refusal(() => AdminTokens.withSecret(SECRET, { log: { warn } as never }).verify(token))
    const logged = JSON.stringify(warn.mock.calls)
    expect(logged).toContain('exp')
    expect(logged).not.toContain(token.split('.')[2])
  })
})

describe('admin tokens by a key set', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ed = generateKeyPairSync('ed25519')
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const from = { issuer: 'https://id.example', audience: 'earshot' }
  let server: Server | undefined
  let fetched = 0

  afterEach(async () => {
    await new Promise(resolve => (server === undefined ? resolve(undefined) : server.close(resolve)))
    server = undefined
  })

  async function provider(answer: () => Promise<{ status?: number; headers?: Record<string, string>; body?: string }>) {
    fetched = 0
    server = createServer((_, response) => {
      fetched += 1
      void answer().then(({ status = 200, headers = {}, body = '' }) => response.writeHead(status, headers).end(body))
    })
    await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`)
    return AdminTokens.withKeySet(url, { ...from, log: silent, clock: () => NOW })
  }

  async function keySet(): Promise<{ body: string }> {
    const jwk = async (key: Parameters<typeof exportJWK>[0], kid: string, alg: string): Promise<JWK> => ({
      ...(await exportJWK(key)),
      kid,
      alg,
    })
    const keys = [
      await jwk(rsa.publicKey, 'rsa', 'RS256'),
      await jwk(ec.publicKey, 'ec', 'ES256'),
      await jwk(ed.publicKey, 'ed', 'EdDSA'),
    ]
    return { body: JSON.stringify({ keys }) }
  }

  function sign(key: Parameters<SignJWT['sign']>[0], header: { alg: string; kid?: string }, changes: object = {}) {
    const payload = { ...claims, iss: from.issuer, aud: from.audience, ...changes }
    return new SignJWT(payload).setProtectedHeader(header).sign(key)
  }

  it('takes RS256, ES256 and EdDSA, and fetches the set once', async () => {
    const tokens = await provider(keySet)
    for (const [key, alg, kid] of [
      [rsa.privateKey, 'RS256', 'rsa'],
      [ec.privateKey, 'ES256', 'ec'],
      [ed.privateKey, 'EdDSA', 'ed'],
    ] as const) {
      expect(await tokens.verify(await sign(key, { alg, kid }))).toMatchObject({ subject: 'ada' })
    }
    expect(fetched).toBe(1)
  })

  it('refuses an HS256 token signed with the public key as its secret', async () => {
    const tokens = await provider(keySet)
    const pem = await exportSPKI(rsa.publicKey)
    const full = { ...claims, iss: from.issuer, aud: from.audience }
    expect(await refusal(() => tokens.verify(forge({ alg: 'HS256', kid: 'rsa' }, full, pem)))).toBe(REFUSED)
    expect(await refusal(() => tokens.verify(forge({ alg: 'RS256', kid: 'rsa' }, full, pem)))).toBe(REFUSED)
  })

  it('refuses other algorithms, strangers, wrong or missing issuer and audience', async () => {
    const tokens = await provider(keySet)
    const embedded = { alg: 'RS256', kid: 'rsa', jwk: await exportJWK(stranger.publicKey) }
    const forged = [
      await sign(rsa.privateKey, { alg: 'RS512', kid: 'rsa' }),
      await sign(rsa.privateKey, { alg: 'PS256', kid: 'rsa' }),
      await sign(stranger.privateKey, { alg: 'RS256', kid: 'rsa' }),
      await sign(stranger.privateKey, embedded),
      await sign(rsa.privateKey, { alg: 'RS256', kid: 'rsa' }, { iss: 'https://evil.example' }),
      await sign(rsa.privateKey, { alg: 'RS256', kid: 'rsa' }, { aud: 'other' }),
      await sign(rsa.privateKey, { alg: 'RS256', kid: 'rsa' }, { iss: undefined }),
      await sign(rsa.privateKey, { alg: 'RS256', kid: 'rsa' }, { aud: undefined }),
      await sign(rsa.privateKey, { alg: 'RS256', kid: 'rsa' }, { exp: undefined }),
    ]
    for (const token of forged) expect(await refusal(() => tokens.verify(token))).toBe(REFUSED)
  })

  it('fetches again at most once a minute, whatever key ids are invented and whatever the answers are', async () => {
    const tokens = await provider(keySet)
    await tokens.verify(await sign(rsa.privateKey, { alg: 'RS256', kid: 'rsa' }))
    for (const kid of ['a', 'b', 'c'])
      await refusal(async () => tokens.verify(await sign(stranger.privateKey, { alg: 'RS256', kid })))
    expect(fetched).toBe(1)

    await new Promise(resolve => server?.close(resolve))
    const down = await provider(async () => ({ status: 500 }))
    const token = await sign(rsa.privateKey, { alg: 'RS256', kid: 'rsa' })
    for (let attempt = 0; attempt < 3; attempt += 1) expect(await refusal(() => down.verify(token))).toBe(REFUSED)
    expect(fetched).toBe(1)
  })

  it.each([
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['no JSON', { body: '<html>' }],
    ['no key set', { body: '{}' }],
  ])('refuses while the provider answers with %s', async (_, answer) => {
    const tokens = await provider(async () => answer)
    const token = await sign(rsa.privateKey, { alg: 'RS256', kid: 'rsa' })
    expect(await refusal(() => tokens.verify(token))).toBe(REFUSED)
  })

  it('reads no key set of a quarter megabyte and more', async () => {
    const tokens = await provider(async () => ({ body: (await keySet()).body + ' '.repeat(256 * 1024) }))
    const token = await sign(rsa.privateKey, { alg: 'RS256', kid: 'rsa' })
    expect(await refusal(() => tokens.verify(token))).toBe(REFUSED)
  })

  it.each(['http://id.example/keys', 'ftp://id.example/keys', 'file:///etc/keys', 'http://127.0.0.1.evil.example/'])(
    'is not made for %s',
    url => {
      expect(() => AdminTokens.withKeySet(new URL(url), { ...from, log: silent })).toThrow('by https')
    },
  )
})
