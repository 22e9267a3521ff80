import { describe, expect, it } from 'vitest'
import { consoleCookie, consoleSessionOf, refuseForeignPage } from '../../src/access/console-cookie.js'
import { refusal } from '../support/access.js'

const TOKEN = 'a'.repeat(43)
const OTHER = 'b'.repeat(43)

function request(headers: Readonly<Record<string, string | readonly string[]>>) {
  const of = {
    host: 'calls.example.com',
    'x-earshot-console': 'https:',
    cookie: `__Host-earshot_session=${TOKEN}`,
    ...headers,
  }
  return { headersDistinct: Object.fromEntries(Object.entries(of).map(([name, value]) => [name, [value].flat()])) }
}

describe('the session a request shows', () => {
  it('is that of the cookie, among others', () => {
    expect(consoleSessionOf(request({}))).toBe(TOKEN)
    expect(consoleSessionOf(request({ cookie: `theme=dark; __Host-earshot_session=${TOKEN}; x=y` }))).toBe(TOKEN)
  })

  it('is nobody’s without the header that only our page sends', () => {
    for (const header of ['', '1', 'ftp:', ['https:', 'https:']]) {
      expect(consoleSessionOf(request({ 'x-earshot-console': header }))).toBeUndefined()
    }
  })

  it('is that of what our own page plays, which can send no header, as the browser says, and of nothing else', () => {
    const playing = { 'x-earshot-console': [], 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'audio' }
    expect(consoleSessionOf(request(playing))).toBe(TOKEN)
    expect(consoleSessionOf(request({ ...playing, cookie: `earshot_session=${TOKEN}` }))).toBe(TOKEN)
    const both = `__Host-earshot_session=${TOKEN}; earshot_session=${OTHER}`
    expect(consoleSessionOf(request({ ...playing, cookie: both }))).toBeUndefined()
    for (const dest of ['empty', 'image', 'video', 'document', '', []]) {
      expect(consoleSessionOf(request({ ...playing, 'sec-fetch-dest': dest }))).toBeUndefined()
    }
    for (const site of ['same-site', 'cross-site', 'none', []]) {
      expect(consoleSessionOf(request({ ...playing, 'sec-fetch-site': site }))).toBeUndefined()
    }
  })

  it('is not looked at beside a key: who shows one is who it says', () => {
    expect(consoleSessionOf(request({ authorization: 'Bearer esk_x' }))).toBeUndefined()
  })

  it('is under TLS never that of the cookie that a neighbour could write', () => {
    expect(consoleSessionOf(request({ cookie: `earshot_session=${TOKEN}` }))).toBeUndefined()
    expect(consoleSessionOf(request({ cookie: `earshot_session=${OTHER}; __Host-earshot_session=${TOKEN}` }))).toBe(
      TOKEN,
    )
    const plain = { 'x-earshot-console': 'http:', cookie: `earshot_session=${TOKEN}` }
    expect(consoleSessionOf(request(plain))).toBe(TOKEN)
  })

  it('is none of two of one name', () => {
    const cookie = `__Host-earshot_session=${TOKEN}; __Host-earshot_session=${OTHER}`
    expect(consoleSessionOf(request({ cookie }))).toBeUndefined()
    expect(consoleSessionOf(request({ cookie: cookie.split('; ') }))).toBeUndefined()
  })

  it.each(['', 'short', `${TOKEN}a`, `${TOKEN.slice(1)}"`, `"${TOKEN}"`])('is no token of another form: %s', value => {
    expect(consoleSessionOf(request({ cookie: `__Host-earshot_session=${value}` }))).toBeUndefined()
  })

  it.each(['same-site', 'cross-site', 'none', ''])('is none for a page of elsewhere, as browsers say: %s', site => {
    expect(consoleSessionOf(request({ 'sec-fetch-site': site }))).toBeUndefined()
  })

  it.each(['https://evil.example', 'http://calls.example.com', 'https://calls.example.com:8443', 'null'])(
    'is none for the Origin %s where browsers do not say',
    origin => {
      expect(consoleSessionOf(request({ origin }))).toBeUndefined()
    },
  )

  it('is that of our own page, however the port is written', () => {
    const origin = 'https://calls.example.com'
    expect(consoleSessionOf(request({ 'sec-fetch-site': 'same-origin', origin }))).toBe(TOKEN)
    expect(consoleSessionOf(request({ host: 'calls.example.com:443', origin }))).toBe(TOKEN)
  })
})

describe('signing in and out', () => {
  it('is for the console’s own page', async () => {
    expect(refuseForeignPage(request({ 'sec-fetch-site': 'same-origin' }))).toBe('https:')
    for (const headers of [
      { 'sec-fetch-site': 'same-site' },
      { 'x-earshot-console': '' },
      { origin: 'https://evil.example' },
    ]) {
      expect(await refusal(() => refuseForeignPage(request(headers)))).toMatch(
        /^forbidden: Only the console’s own page/,
      )
    }
  })

  it('gives a cookie that no script reads and no other site sends', () => {
    expect(consoleCookie('http:', TOKEN)).toBe(
      `earshot_session=${TOKEN}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict`,
    )
    expect(consoleCookie('https:', undefined)).toBe(
      '__Host-earshot_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    )
  })
})
