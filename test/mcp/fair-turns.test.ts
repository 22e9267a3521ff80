import { afterAll, beforeAll, expect, test } from 'vitest'
import { flood, type Sent } from '../support/flood.js'
import { headersOf, initialize } from './post.js'
import { type RunningToolServer, startToolServer } from './start-tool-server.js'

// One thread answers everybody: whoever sends much at once waits for himself.

const MANY = 300
/** Answers that are on their way while another's request comes in. */
const FEW = 30

let running: RunningToolServer
beforeAll(async () => {
  running = await startToolServer({ maxSessionsPerKey: MANY, maxSessionsPerProject: MANY })
  for (let i = 0; i < 10; i += 1) running.keys.mint(`loud-${i}`, ['Admin'], { project_id: 'loud' })
  running.keys.mint('quiet', ['Admin'], { project_id: 'quiet' })
})
afterAll(() => running.server.close('test'))

const body = JSON.stringify(initialize)

function opening(key: string, whose: string): Sent {
  const headers = Object.entries({ host: '127.0.0.1', ...headersOf(key), 'content-length': `${body.length}` })
  const head = ['POST /mcp HTTP/1.1', ...headers.map(([name, value]) => `${name}: ${value}`), '', '']
  return { whose, bytes: head.join('\r\n') + body }
}

test.each([
  ['sessions that ten keys of another project open', (i: number) => opening(`loud-${i % 10}`, 'loud')],
  ['credentials that are none', () => opening('eve', 'loud')],
])('a request does not wait for %s', async (_, loud) => {
  const answered = await flood(running.port, [
    ...Array.from({ length: MANY }, (__, i) => loud(i)),
    opening('quiet', 'quiet'),
  ])
  expect(answered.indexOf('quiet')).toBeLessThan(FEW)
})

test('a request does not wait for refusals of what another project asks too often', async () => {
  const enter = running.keys.enter.bind(running.keys)
  const loud = Array.from({ length: MANY }, (_, i) => opening(`loud-${i % 10}`, 'loud'))
  running.keys.limit = 0
  try {
    // All but the quiet one's is over the limit.
    running.keys.enter = async authorization => {
      running.keys.limit = authorization === 'Bearer quiet' ? Infinity : 0
      return await enter(authorization)
    }
    const answered = await flood(running.port, [...loud, opening('quiet', 'quiet')])
    expect(answered.indexOf('quiet')).toBeLessThan(FEW)
  } finally {
    running.keys.enter = enter
    running.keys.limit = Infinity
  }
})
