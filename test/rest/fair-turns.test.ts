import { afterAll, beforeAll, expect, test } from 'vitest'
import { operation } from '../../src/operations/operation.js'
import { flood, type Sent } from '../support/flood.js'
import { startApi } from '../support/api.js'

// One thread answers everybody: whoever sends much at once waits for himself.

const MANY = 300
/** Answers that are on their way while another's request comes in. */
const FEW = 30

let running: Awaited<ReturnType<typeof startApi>>
let keys: { readonly loud: string; readonly quiet: string }
beforeAll(async () => {
  const work = operation({
    method: 'GET',
    url: '/test/work',
    access: 'caller',
    summary: 'An operation of this test',
    run: () => ({ text: 'x' }),
  })
  running = await startApi({ operations: [work] })
  const mint = async (project: string) => {
    const fields = { name: 'k', is_supervisor: true, roles: [], allowed_agents: [], require_mapping: false }
    return (await running.keys.mint(project, fields, { name: 'ada', role: 'Admin' })).key
  }
  keys = { loud: await mint('p1'), quiet: await mint('p2') }
})
afterAll(() => running.server.close())

function asking(whose: 'loud' | 'quiet', key: string, path = '/test/work'): Sent {
  return {
    whose,
    bytes: [`GET ${path} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${key}`, '', ''].join('\r\n'),
  }
}

test.each([
  ["another project's requests", () => keys.loud],
  ['credentials that are none', () => 'esk_none'],
])('a request does not wait for %s', async (_, loud) => {
  const answered = await flood(running.port, [
    ...Array.from({ length: MANY }, () => asking('loud', loud())),
    asking('quiet', keys.quiet),
  ])
  expect(answered.indexOf('quiet')).toBeLessThan(FEW)
})

test('a request does not wait for what strangers may ask', async () => {
  const answered = await flood(running.port, [
    ...Array.from({ length: MANY }, () => asking('loud', 'esk_none', '/openapi.json')),
    asking('quiet', keys.quiet),
  ])
  expect(answered.indexOf('quiet')).toBeLessThan(FEW)
})
