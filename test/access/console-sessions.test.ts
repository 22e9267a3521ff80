import { beforeEach, expect, test } from 'vitest'
import { Shares } from '../../src/admission/shares.js'
import { CONSOLE_SESSION_MS, ConsoleSessions } from '../../src/access/console-sessions.js'
import { refusal } from '../support/access.js'

const HOUR_MS = 3_600_000
const one = { project: 'p1', key: 'application_key k1' }

let now: number
let shares: Shares
let sessions: ConsoleSessions

beforeEach(() => {
  now = Date.parse('2026-03-01T12:00:00Z')
  shares = new Shares({ what: 'people signed in', all: 6, ofProject: 4, ofKey: 2, kept: 1 })
  sessions = new ConsoleSessions(shares, () => now)
})

test('a session stands for its key until it is ended', () => {
  const token = sessions.open('k1', one)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(sessions.holderOf(token)).toBe('k1')
  expect(sessions.holderOf(`${token.slice(0, -1)}!`)).toBeUndefined()
  sessions.end(token)
  expect(sessions.holderOf(token)).toBeUndefined()
  expect(shares.taken).toBe(0)
})

test('it ends when nobody used it for twelve hours, and after a week however much it is used', () => {
  const idle = sessions.open('k1', one)
  const used = sessions.open('k1', one)
  for (let hours = 0; hours < 11; hours += 1) {
    now += HOUR_MS
    expect(sessions.holderOf(used)).toBe('k1')
  }
  now += HOUR_MS
  expect(sessions.holderOf(idle)).toBeUndefined()
  const opened = now - 12 * HOUR_MS
  while (now - opened < CONSOLE_SESSION_MS - HOUR_MS) {
    now += HOUR_MS
    expect(sessions.holderOf(used)).toBe('k1')
  }
  now += HOUR_MS
  expect(sessions.holderOf(used)).toBeUndefined()
  expect(sessions.size).toBe(0)
  expect(shares.taken).toBe(0)
})

test('what was opened with a session goes on as long as it lasts, and keeps it from nothing', () => {
  const token = sessions.open('k1', one)
  now += 11 * HOUR_MS
  expect(sessions.holderOf(token, false)).toBe('k1')
  now += HOUR_MS
  expect(sessions.holderOf(token, false)).toBeUndefined()
  expect(shares.taken).toBe(0)
})

test('a key that has as many as it may loses the one longest unused, and no other key’s', () => {
  const other = sessions.open('k2', { project: 'p1', key: 'application_key k2' })
  const first = sessions.open('k1', one)
  const second = sessions.open('k1', one)
  sessions.holderOf(first)
  const third = sessions.open('k1', one)
  expect([first, second, third, other].map(token => sessions.holderOf(token))).toEqual(['k1', undefined, 'k1', 'k2'])
})

test('a project that has as many as it may gets no more, and another one still does', async () => {
  for (const key of ['k1', 'k2']) {
    for (let i = 0; i < 2; i += 1) sessions.open(key, { project: 'p1', key })
  }
  expect(await refusal(() => sessions.open('k3', { project: 'p1', key: 'k3' }))).toBe(
    'too_many_requests: Too many people signed in: the limit is 4 per project',
  )
  expect(sessions.holderOf(sessions.open('k4', { project: 'p2', key: 'k4' }))).toBe('k4')
})

test('ended sessions leave their place', () => {
  for (const key of ['k1', 'k2']) for (let i = 0; i < 2; i += 1) sessions.open(key, { project: 'p1', key })
  now += 12 * HOUR_MS
  expect(sessions.holderOf(sessions.open('k3', { project: 'p1', key: 'k3' }))).toBe('k3')
  expect(sessions.size).toBe(1)
})

test('the end of a key ends its sessions', () => {
  const [a, b] = [sessions.open('k1', one), sessions.open('k1', one)]
  sessions.endAllOf('k1')
  expect([a, b].map(token => sessions.holderOf(token))).toEqual([undefined, undefined])
  expect(shares.taken).toBe(0)
})

test('a link opens once, and within an hour', () => {
  const link = sessions.link('k1')
  expect(sessions.follow(link)).toBe('k1')
  expect(sessions.follow(link)).toBeUndefined()
  const late = sessions.link('k1')
  now += HOUR_MS
  expect(sessions.follow(late)).toBeUndefined()
  expect(sessions.follow('')).toBeUndefined()
})

test('one that an identity provider vouches for ends when it says, and with its administrator', () => {
  const admin = { subject: 'lea', issuer: 'https://login.example.com', name: 'Lea', role: 'Admin' } as const
  const holder = { admin, projectId: 'p1' }
  const short = sessions.open(holder, one, HOUR_MS)
  expect(sessions.holderOf(short)).toEqual(holder)
  now += HOUR_MS
  expect(sessions.holderOf(short)).toBeUndefined()
  const longest = sessions.open('k1', one, 10 * CONSOLE_SESSION_MS)
  const opened = sessions.open(holder, { project: 'p1', key: 'admin lea' })
  const another = sessions.open(
    { ...holder, admin: { ...admin, issuer: 'https://other.example' } },
    { project: 'p1', key: 'x' },
  )
  sessions.endAllOfAdmin('lea', admin.issuer)
  expect([opened, another, longest].map(token => sessions.holderOf(token) !== undefined)).toEqual([false, true, true])
  for (let days = 0; days < 14; days += 1) {
    now += 12 * HOUR_MS - 1
    sessions.holderOf(longest)
  }
  now += HOUR_MS
  expect(sessions.holderOf(longest), 'never longer than any').toBeUndefined()
})
