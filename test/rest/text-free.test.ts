import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../src/access/caller.js'
import { questionOperations } from '../../src/operations/ask-questions.js'
import { namesProject, type Operation, runOperation, type Received } from '../../src/operations/operation.js'
import { operations } from '../../src/operations/operations.js'
import { overseeing, servicesOf } from '../support/api.js'
import { startCallsApi } from '../support/calls-api.js'
import { CANARY, plantedCall, tellsPlanted } from '../support/text-free.js'

/** Every route that a key may ask, with one that sees no text, over calls with a canary in every text. */

let api: Awaited<ReturnType<typeof startCallsApi>>
let blind: string
let masked: string
let full: string
beforeAll(async () => {
  api = await startCallsApi()
  blind = await api.mint({ text: 'none' })
  masked = await api.mint({ text: 'masked' })
  full = await api.mint()
  const body = Array.from({ length: 8 }, (_, n) => JSON.stringify(plantedCall(n, 0))).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const stored = await api.call('POST', '/api/v1/interactions', { as: full, body, headers })
  const feedback = { rating: 4, text: `Feedback ${CANARY}` }
  const given = await api.call('POST', '/api/v1/interactions/call-0/feedback', { as: full, body: feedback })
  if (stored.status !== 200 || given.status !== 201) throw new Error('The calls were not stored')
})
afterAll(() => api.close())

/** What a key may ask at all. */
const forKeys = operations.filter(
  ({ access, summary }) => namesProject(access) && access !== 'administrator' && summary !== undefined,
)
const nameOf = ({ method, url }: Operation) => `${method} ${url}`

test('beside questions, whose askers have no way to a text, these may be asked without seeing one: whoever adds one has looked', () => {
  expect(
    forKeys
      .filter(one => one.textFree === true && !questionOperations.includes(one))
      .map(nameOf)
      .toSorted(),
  ).toEqual([
    'DELETE /api/v1/connections/:connection_id',
    'DELETE /api/v1/interactions/:interaction_id',
    'GET /api/v1/bulk/interactions',
    'GET /api/v1/connections',
  ])
})

const TEXTS = ['none', 'masked'] as const
test.each(
  forKeys
    .filter(({ textFree }) => textFree !== true)
    .flatMap(one => TEXTS.map(text => [nameOf(one), text, one] as const)),
)('%s is refused with text %s before anything is looked at', async (_, text, operation) => {
  const who: Caller = {
    project_id: 'p1',
    source: 'application_key',
    app_name: 'k',
    credential_id: 'key',
    access_scope: { ...overseeing, text },
  }
  const untouched = new Proxy({} as Received, { get: () => expect.unreachable() })
  await expect(runOperation(operation, servicesOf({}), untouched, who)).rejects.toThrow(
    text === 'none' ? 'sees no text of calls' : 'sees texts of calls masked',
  )
})

const reads = forKeys.filter(({ textFree, method }) => textFree === true && method === 'GET')
const VALUES: Readonly<Record<string, string>> = { interaction_id: 'call-0', session_id: 'call-0', agent_id: 'ana' }

describe.each(reads.map(one => [nameOf(one), one] as const))('%s', (_, { url, example, table, lines }) => {
  const path = url.replaceAll(/:(\w+)/g, (__, name: string) => VALUES[name] ?? 'x')
  const queries = new Set(['', new URLSearchParams({ ...(example?.query as Record<string, string>) }).toString()])
  const accepts = [
    lines === undefined ? 'application/json' : 'application/x-ndjson',
    ...(table === undefined ? [] : ['text/csv']),
  ]

  test.each([...queries].flatMap(query => accepts.map(accept => [query, accept] as const)))(
    '?%s as %s has no text of a call',
    async (query, accept) => {
      const { status, text } = await api.call('GET', `${path}?${query}`, { as: blind, headers: { accept } })
      // An answer without the list that is a table is none as CSV.
      expect([200, 403, 404, 406, 422]).toContain(status)
      expect(text).not.toContain(CANARY)
      const shown = await api.call('GET', `${path}?${query}`, { as: masked, headers: { accept } })
      expect(shown.status).toBe(status)
      expect(tellsPlanted(shown.text)).toBe(false)
    },
  )
})

test('whole records, the list and the bulk reading are shown masked', async () => {
  for (const path of ['/api/v1/interactions/call-0', '/api/v1/bulk/interactions', '/api/v1/interactions']) {
    // oxlint-disable-next-line no-await-in-loop -- three
    const { text } = await api.call('GET', path, { as: masked })
    expect(text).toContain(`${CANARY} of title. She said it. Card [card], mail [email].`)
    expect(tellsPlanted(text)).toBe(false)
    // oxlint-disable-next-line no-await-in-loop -- three
    expect(tellsPlanted((await api.call('GET', path, { as: full })).text)).toBe(true)
  }
  const bulk = await api.call('GET', '/api/v1/bulk/interactions', { as: masked })
  expect(bulk.text.trim().split('\n')).toHaveLength(8)
})

test('a whole record, the list and the bulk reading are there, without texts', async () => {
  const one = await api.call('GET', '/api/v1/interactions/call-0', { as: blind })
  expect(one.json).toMatchObject({ session_id: 'call-0', signals: [{ key: 'sig.escalation' }, {}, {}] })
  const bulk = await api.call('GET', '/api/v1/bulk/interactions', { as: blind })
  expect(bulk.text.trim().split('\n')).toHaveLength(8)
  const csv = await api.call('GET', '/api/v1/interactions', { as: blind, headers: { accept: 'text/csv' } })
  expect(csv.text.trim().split('\n')).toHaveLength(9)
  for (const { text } of [one, bulk, csv]) expect(text).not.toContain(CANARY)
  for (const path of ['/api/v1/interactions/call-0', '/api/v1/bulk/interactions', '/api/v1/interactions']) {
    // oxlint-disable-next-line no-await-in-loop -- three
    expect((await api.call('GET', path, { as: full })).text).toContain(CANARY)
  }
})

test('no list of lines with errors, no table and no failure of a pipeline has a text', async () => {
  const pipelines = [
    [{ $project: { x: { $toInt: '$title' } } }],
    [{ $project: { x: { $toInt: { $concat: ['$agent_name', { $ifNull: ['$title', ''] }] } } } }],
    [{ $project: { x: { $divide: [1, '$transcript'] } } }],
    [{ $group: { _id: '$session_metadata', calls: { $sum: 1 } } }],
    [{ $project: { all: { $objectToArray: '$$ROOT' } } }],
  ]
  for (const pipeline of pipelines) {
    for (const accept of ['application/json', 'text/csv']) {
      // oxlint-disable-next-line no-await-in-loop -- a few
      const { status, text } = await api.call('POST', '/api/v1/query', {
        as: blind,
        body: { pipeline },
        headers: { accept },
      })
      expect(status).toBeLessThan(500)
      expect(text).not.toContain(CANARY)
    }
  }
})

test('a key’s texts are taken away and given from its next request on; a rotation keeps them away', async () => {
  const author = { name: 'ada', role: 'Admin' as const }
  const { key, key_id } = await api.keys.mint('p1', { ...overseeing, text: 'none' }, author)
  const get = (as: string) => api.call('GET', '/api/v1/interactions/call-0', { as })
  expect((await get(key)).text).not.toContain(CANARY)
  const rotated = await api.keys.rotate('p1', key_id, 60, author)
  expect(rotated.text).toBe('none')
  expect((await get(rotated.key)).text).not.toContain(CANARY)
  await api.keys.patch('p1', key_id, { text: 'full' }, author)
  expect((await get(key)).text).toContain(CANARY)
  await api.keys.patch('p1', key_id, { text: 'none' }, author)
  expect((await get(key)).text).not.toContain(CANARY)
})

test('a bulk cursor of before its texts were taken away does not go on', async () => {
  const author = { name: 'ada', role: 'Admin' as const }
  const { key, key_id } = await api.keys.mint('p1', { ...overseeing }, author)
  const bulk = (query = '') => api.call('GET', `/api/v1/bulk/interactions${query}`, { as: key })
  const [first = ''] = (await bulk()).text.split('\n')
  const { cursor } = JSON.parse(first) as { cursor: string }
  await api.keys.patch('p1', key_id, { text: 'none' }, author)
  const on = await bulk(`?cursor=${encodeURIComponent(cursor)}`)
  expect(on.status).toBe(422)
})
