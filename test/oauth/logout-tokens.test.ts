import { exportJWK, generateKeyPair, createLocalJWKSet, type JWTHeaderParameters, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { LogoutTokens } from '../../src/oauth/logout-tokens.js'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const SECONDS = NOW / 1000
const ISSUER = 'https://login.example.com'
const CLAIMS = {
  iss: ISSUER,
  aud: 'earshot',
  sub: 'lea',
  iat: SECONDS,
  exp: SECONDS + 120,
  jti: 'one',
  events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
}
type Claims = Readonly<Record<string, unknown>>

type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
let own: SigningKey
let anothers: SigningKey
let keySet: ReturnType<typeof createLocalJWKSet>
beforeAll(async () => {
  const pair = await generateKeyPair('RS256')
  own = pair.privateKey
  ;({ privateKey: anothers } = await generateKeyPair('RS256'))
  keySet = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'RS256' }] })
})

const tokens = (clock = () => NOW) => new LogoutTokens({ issuer: ISSUER, audience: 'earshot', keySet, clock })
const signed = async (
  claims: Claims,
  header: Partial<JWTHeaderParameters> = {},
  key: Parameters<SignJWT['sign']>[0] = own,
) => await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k', typ: 'logout+jwt', ...header }).sign(key)
const without = (name: keyof typeof CLAIMS): Claims =>
  Object.fromEntries(Object.entries(CLAIMS).filter(([key]) => key !== name))

test('a logout token says who signed out, with its type and without', async () => {
  expect(await tokens().subjectOf(await signed(CLAIMS))).toBe('lea')
  expect(await tokens().subjectOf(await signed(CLAIMS, { typ: undefined as never }))).toBe('lea')
  expect(await tokens().subjectOf(await signed({ ...CLAIMS, sid: 's', aud: ['other', 'earshot'] }))).toBe('lea')
})

describe('refused is a token', () => {
  test.each<[string, () => Claims, RegExp]>([
    ['of another issuer', () => ({ ...CLAIMS, iss: 'https://idp.evil.example' }), /"iss"/],
    ['for another audience', () => ({ ...CLAIMS, aud: 'another' }), /"aud"/],
    ['without its event', () => without('events'), /events/],
    ['with another event', () => ({ ...CLAIMS, events: { 'https://evil.example/event': {} } }), /events/],
    ['with its event as a text', () => ({ ...CLAIMS, events: Object.keys(CLAIMS.events)[0] }), /events/],
    ['with a nonce, as ID tokens have one', () => ({ ...CLAIMS, nonce: 'n' }), /nonce/],
    ['without an id', () => without('jti'), /jti/],
    ['without a time', () => without('iat'), /"iat"/],
    ['without an end', () => without('exp'), /exp/],
    ['of ten minutes ago', () => ({ ...CLAIMS, iat: SECONDS - 600 }), /"iat".*too far in the past/],
    ['of in ten minutes', () => ({ ...CLAIMS, iat: SECONDS + 600 }), /"iat".*should be in the past/],
    ['that has expired', () => ({ ...CLAIMS, exp: SECONDS - 60 }), /"exp"/],
    ['about nobody, but a session of the provider’s', () => ({ ...without('sub'), sid: 's' }), /sub/],
  ])('%s', async (_name, claims, reason) => {
    await expect(tokens().subjectOf(await signed(claims()))).rejects.toThrow(reason)
  })

  test('of another type, signed by another, by the secret, or by nobody', async () => {
    const shown = async (token: string) => await tokens().subjectOf(token)
    await expect(shown(await signed(CLAIMS, { typ: 'at+jwt' }))).rejects.toThrow('at+jwt is no logout token')
    await expect(shown(await signed(CLAIMS, {}, anothers))).rejects.toThrow('signature verification failed')
    const secret = new TextEncoder().encode('a secret of the company, which is long')
    await expect(shown(await signed(CLAIMS, { alg: 'HS256' }, secret))).rejects.toThrow('"alg"')
    const unsigned = `${btoa('{"alg":"none"}').replaceAll('=', '')}.${(await signed(CLAIMS)).split('.')[1]}.`
    await expect(shown(unsigned)).rejects.toThrow('"alg"')
    await expect(shown('')).rejects.toThrow('Invalid Compact JWS')
  })

  test('that was taken before, as long as it is not too old anyhow', async () => {
    let now = NOW
    const taking = tokens(() => now)
    const token = await signed({ ...CLAIMS, exp: SECONDS + 3_600 })
    await taking.subjectOf(token)
    await expect(taking.subjectOf(token)).rejects.toThrow('taken before')
    now += 329_000
    await expect(taking.subjectOf(token)).rejects.toThrow('taken before')
    now += 2_000
    await expect(taking.subjectOf(token)).rejects.toThrow('too far in the past')
    expect(
      await taking.subjectOf(await signed({ ...CLAIMS, jti: 'two', iat: SECONDS + 331, exp: SECONDS + 600 })),
    ).toBe('lea')
  })
})
