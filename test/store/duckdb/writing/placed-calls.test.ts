import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { PreparedCall } from '../../../../src/store/store.js'
import type { DuckDbStore } from '../../../../src/store/duckdb/duckdb-store.js'
import { call, openStore, rows } from '../support.js'

const START = '2026-03-01T12:00:00.000Z'
const spoken = (words: string) => [{ turn: 0, actor: 'agent', text: words }]

/** A call whose id is that of its file; its words are told as import tells them. */
function placed(id: string, bare: string | undefined, agent: string, words: string, start = START): PreparedCall {
  const hash = createHash('sha256').update(words).digest('hex')
  return {
    ...call(id, { agent_name: agent, created_dt: start, transcript: spoken(words) }),
    placed: { began: Date.parse(start), words: hash, ...(bare !== undefined && { bare }) },
  }
}
const stored = (id: string, agent: string, words: string, start = START) =>
  call(id, { agent_name: agent, created_dt: start, transcript: spoken(words) })
const all = 'select session_id, agent_name from calls order by all'

/** What an upsert comes to, which a preview says before, changing nothing. */
async function put(store: DuckDbStore, calls: readonly PreparedCall[], options: { restoreErased?: boolean } = {}) {
  const before = await rows(store, all)
  const { replaced, ...preview } = await store.calls.preview('p', calls, options)
  expect(await rows(store, all)).toEqual(before)
  const result = await store.calls.upsert('p', calls, options)
  expect({ ...preview, replaced: replaced.length, unkept: [] }).toEqual({ ...result, stored: undefined })
  return result
}
const clean = { erased: [], taken: [], held: [], unkept: [], besideBare: [] }

describe('a call whose id is that of its file', () => {
  it.each([
    ['the same agent and start, other words', 'Ana', 'Two.', START],
    ['the same agent and words, another start', 'Ana', 'One.', '2026-03-01T13:00:00.000Z'],
    ['the same start and words, another agent', 'Bo', 'One.', START],
  ])('replaces what is stored under it when that is the same call: %s', async (_what, agent, words, start) => {
    const store = await openStore()
    await put(store, [placed('a/1', undefined, 'Ana', 'One.')])
    const again = await put(store, [placed('a/1', undefined, agent, words, start)])
    expect(again).toEqual({ stored: 1, replaced: 1, ...clean })
    expect(await rows(store, all)).toEqual([['a/1', agent]])
  })

  it.each([
    ['another agent, with other words', 'Bo', 'Two.', START],
    ['another start, with other words', 'Ana', 'Two.', '2026-03-01T13:00:00.000Z'],
  ])('stays out when another call is stored under it: of %s', async (_what, agent, words, start) => {
    const store = await openStore()
    await store.calls.upsert('p', [stored('1', 'Ana', 'One.')])
    const result = await put(store, [placed('1', undefined, agent, words, start), call('x')])
    expect(result).toEqual({ stored: 1, replaced: 0, ...clean, taken: ['1'] })
    expect(await rows(store, all)).toEqual([
      ['1', 'Ana'],
      ['x', 'Ana'],
    ])
  })

  it('takes the place of the same call under the bare name of its file, with what was kept about it', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [stored('1', 'Bo', 'Two.')])
    await store.calls.upsert('other', [stored('1', 'Bo', 'Two.')])
    const feedback = {
      feedback_id: 'f',
      session_id: '1',
      about: 'call' as const,
      rating: 4,
      created_at: START,
      created_by: 'Cy',
    }
    await store.events.feedback.restore('p', [feedback])
    const result = await put(store, [placed('Ana/1', '1', 'Ana', 'One.'), placed('Bo/1', '1', 'Bo', 'Two.')])
    expect(result).toEqual({ stored: 2, replaced: 1, ...clean, besideBare: ['Ana/1'] })
    expect(await rows(store, `select project_id, session_id from calls order by all`)).toEqual([
      ['other', '1'],
      ['p', 'Ana/1'],
      ['p', 'Bo/1'],
    ])
    expect(await rows(store, 'select session_id from feedback')).toEqual([['Bo/1']])
    const again = await put(store, [placed('Bo/1', '1', 'Bo', 'Two.')])
    expect(again).toEqual({ stored: 1, replaced: 1, ...clean })
  })

  it('leaves another call under the bare name where it is, and says so', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [stored('1', 'Bo', 'Two.')])
    const result = await put(store, [placed('Ana/1', '1', 'Ana', 'One.')])
    expect(result).toEqual({ stored: 1, replaced: 0, ...clean, besideBare: ['Ana/1'] })
    expect(await rows(store, all)).toEqual([
      ['1', 'Bo'],
      ['Ana/1', 'Ana'],
    ])
  })

  it('does not bring an erased call back under another id, but on purpose', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [stored('1', 'Ana', 'One.')])
    await store.calls.erase('p', '1')
    const coming = [placed('Ana/1', '1', 'Ana', 'One.')]
    expect(await put(store, coming)).toEqual({ stored: 0, replaced: 0, ...clean, erased: ['Ana/1'] })
    expect(await put(store, coming, { restoreErased: true })).toMatchObject({ stored: 1, erased: [] })
    expect(await put(store, coming)).toMatchObject({ stored: 1, replaced: 1, erased: [] })
  })
})
