import { expect, test } from 'vitest'
import { Addresses } from '../../src/oauth/addresses.js'
import { SignInCookie } from '../../src/oauth/browser-cookie.js'

const STATE = 'Gx_1-abcdefghijklmnop'
const cookieAt = (address: string, state = STATE) =>
  new SignInCookie('company', state, new Addresses(address), '/oauth/company')

test('under https the cookie of a company sign-in is the host’s own, which no neighbour can write', () => {
  const cookie = cookieAt('https://calls.example.com/earshot')
  expect(cookie.set('secret')).toBe(
    '__Host-earshot_company_Gx_1-abc=secret; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure',
  )
  const brought = (name: string) => cookie.of({ headers: { cookie: `${name}=planted` } })
  expect([brought('earshot_company_Gx_1-abc'), brought('__Host-earshot_company_another1')]).toEqual(['', ''])
  expect(brought('__Host-earshot_company_Gx_1-abc')).toBe('planted')
})

test('on this machine it is of the one path, and what an address says its state is names nothing else', () => {
  expect(cookieAt('http://127.0.0.1:8001').clear()).toBe(
    'earshot_company_Gx_1-abc=; Path=/oauth/company; Max-Age=0; HttpOnly; SameSite=Lax',
  )
  expect(cookieAt('http://127.0.0.1:8001', '=; a\r\n.*').clear()).toMatch(/^earshot_company_a=;/)
})
