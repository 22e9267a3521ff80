import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compactStore } from '../../../src/store/duckdb/files/compact-store.js'
import { call, openStore, rows, tempDir } from './support.js'

describe('upsert', () => {
  it('stores each field of the record in a column of its type', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [
      call('s1', {
        score: 4.5,
        signals: [{ key: 'sig.a', state: 'present', strength: 0.5 }],
        trust: { reasons: ['noisy'] },
      }),
    ])
    expect(await rows(store, `select score, signals[1].key, signals[1].strength, trust.reasons from calls`)).toEqual([
      [4.5, 'sig.a', 0.5, ['noisy']],
    ])
  })

  it('keeps missing, empty list and empty object apart', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [call('s1'), call('s2', { signals: [], trust: {} })])
    const found = await rows(
      store,
      'select signals is null, len(signals), trust is null from calls order by session_id',
    )
    expect(found).toEqual([
      [true, null, true],
      [false, 0n, false],
    ])
  })

  it('brings dates to UTC, whatever their offset, nested ones too', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [
      call('s1', {
        created_dt: '2026-03-01T12:00:00+02:00',
        evaluation: { evaluated_at: '2026-03-01T01:00:00-05:00' },
      }),
      call('s2', { created_dt: '2026-03-01' }),
    ])
    const found = await rows(store, 'select created_dt, evaluation.evaluated_at from calls order by session_id')
    expect(found).toEqual([
      [new Date('2026-03-01T10:00:00Z'), new Date('2026-03-01T06:00:00Z')],
      [new Date('2026-03-01T00:00:00Z'), null],
    ])
  })

  it('keeps session_metadata as JSON of any shape', async () => {
    const store = await openStore()
    const metadata = { nested: { a: [1, null, 'x'] }, 'odd "name"': true, big: 9007199254740991, text: 'é\u2028' }
    await store.calls.upsert('p', [call('s1', { session_metadata: metadata })])
    const [[text]] = (await rows(store, 'select session_metadata from calls')) as [[string]]
    expect(JSON.parse(text)).toEqual(metadata)
  })

  it('replaces the call of the same project and id, and says how many it replaced', async () => {
    const store = await openStore()
    expect(await store.calls.upsert('p', [call('s1'), call('s2')])).toMatchObject({
      stored: 2,
      replaced: 0,
      erased: [],
    })
    expect(await store.calls.upsert('p', [call('s2', { title: 'new' }), call('s3')])).toMatchObject({
      stored: 2,
      replaced: 1,
      erased: [],
    })
    await store.calls.upsert('other', [call('s2', { title: 'of another project' })])
    expect(await rows(store, `select session_id, title from calls where project_id = 'p' order by 1`)).toEqual([
      ['s1', null],
      ['s2', 'new'],
      ['s3', null],
    ])
  })

  it('takes the last of equal ids in a batch', async () => {
    const store = await openStore()
    const result = await store.calls.upsert('p', [call('s1', { title: 'first' }), call('s1', { title: 'last' })])
    expect(result.stored).toBe(1)
    expect(await rows(store, 'select title from calls')).toEqual([['last']])
  })

  it('writes batches larger than a slice whole, and batches asked for at the same time one after the other', async () => {
    const store = await openStore()
    const batch = (from: number) => Array.from({ length: 1_300 }, (_, i) => call(`s${from + i}`))
    const [, second] = await Promise.all([store.calls.upsert('p', batch(0)), store.calls.upsert('p', batch(300))])
    expect(second.replaced).toBe(1_000)
    expect(await rows(store, 'select count(*), count(distinct session_id) from calls')).toEqual([[1_600n, 1_600n]])
  })

  it('stores nothing of a batch in which one call cannot be stored', async () => {
    const store = await openStore()
    const broken = { ...call('s2'), json: '{"session_id": ' }
    await expect(store.calls.upsert('p', [call('s1'), broken])).rejects.toThrow(/Malformed JSON/)
    expect(await rows(store, 'select * from calls')).toEqual([])
    expect((await store.calls.upsert('p', [call('s1')])).stored).toBe(1)
  })

  it('derives the text to search, the duration and the keys of present signals', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [
      call('s1', {
        title: 'Refund',
        coaching_summary: 'Well DONE.',
        transcript: [
          { turn: 0, actor: 'agent', text: 'Hello', end_s: 4 },
          { turn: 1, actor: 'customer', text: 'ÄRGER', end_s: 9.5 },
        ],
        signals: [
          { key: 'sig.b', state: 'present' },
          { key: 'sig.a', state: 'absent' },
        ],
      }),
      call('s2', { session_metadata: { audio_length_seconds: 61 } }),
    ])
    expect(
      await rows(store, 'select search_text, duration_s, signal_count, present_signals from calls order by session_id'),
    ).toEqual([
      ['refund\nwell done.\nhello\närger', 9.5, 1, ['sig.b']],
      ['', 61, null, null],
    ])
  })
})

describe('erase', () => {
  it('says whether the call was there', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [call('s1')])
    expect(await store.calls.erase('other', 's1')).toBe(false)
    expect(await store.calls.erase('p', 's1')).toBe(true)
    expect(await store.calls.erase('p', 's1')).toBe(false)
  })

  it('keeps the call from coming back, in its project only, also after a restart', async () => {
    const dataDir = tempDir()
    const before = await openStore({ dataDir })
    await before.calls.upsert('p', [call('s1'), call('s2')])
    await before.calls.erase('p', 's1')
    await before.close()
    const store = await openStore({ dataDir })
    expect(await store.calls.upsert('p', [call('s1'), call('s2'), call('s3')])).toMatchObject({
      stored: 2,
      replaced: 1,
      erased: ['s1'],
    })
    expect((await store.calls.upsert('other', [call('s1')])).erased).toEqual([])
  })

  it('lets the call come back when it is restored on purpose, and then for good', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [call('s1')])
    await store.calls.erase('p', 's1')
    expect((await store.calls.upsert('p', [call('s1')], { restoreErased: true })).stored).toBe(1)
    expect((await store.calls.upsert('p', [call('s1')])).erased).toEqual([])
  })

  it('remembers no id in the clear', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [call('a-most-private-id')])
    await store.calls.erase('p', 'a-most-private-id')
    const remembered = await rows(store, 'select * from erased_calls')
    expect(remembered).toHaveLength(1)
    expect(JSON.stringify(remembered)).not.toContain('a-most-private-id')
  })

  // When the second expectation fails the limit is gone: turn it round, mend the docstring of eraseAll and docs/privacy.md.
  it('known limit: leaves the bytes in the file until the store is compacted', async () => {
    const dataDir = tempDir()
    const held = () => readFileSync(join(dataDir, 'earshot.duckdb')).includes('private words')
    const before = await openStore({ dataDir })
    await before.calls.upsert('p', [call('s1', { title: 'private words' }), call('s2')])
    await before.close()
    expect(held()).toBe(true)
    const store = await openStore({ dataDir })
    await store.calls.erase('p', 's1')
    await store.close()
    expect(held()).toBe(true)
    await compactStore({ dataDir, memoryLimit: '256MB', threads: 1, onRecord: (_, work) => work() })
    expect(held()).toBe(false)
  })
})

describe('agentIds', () => {
  it('gives the latest name of each agent of the project', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [
      call('s1', { agent_id: 'a1', agent_name: 'Ana', created_dt: '2026-03-02T00:00:00Z' }),
      call('s2', { agent_id: 'a1', agent_name: 'Anna', created_dt: '2026-03-01T00:00:00Z' }),
      call('s3', { agent_id: 'b1', agent_name: 'Bo' }),
    ])
    await store.calls.upsert('other', [call('s4', { agent_id: 'c1', agent_name: 'Cy' })])
    expect(await store.calls.agentIds('p')).toEqual(
      new Map([
        ['a1', 'Ana'],
        ['b1', 'Bo'],
      ]),
    )
  })
})

describe('retention', () => {
  const said = {
    title: 'Refund',
    coaching_summary: 'Went well.',
    transcript: [{ turn: 0, actor: 'agent', text: 'hello there', end_s: 12 }],
    signals: [{ key: 'sig.a', state: 'present', strength: 0.5, evidence: [{ turn: 0, quote: 'hello there' }] }],
    guidance: [{ key: 'guide.a', kind: 'excellence', text: 'Keep it up', evidence: [{ turn: 0, quote: 'hello' }] }],
    conditions: [{ key: 'hold', turn: 0, text: 'hello there' }],
  }
  const on = (day: number) => ({ created_dt: `2026-03-0${day}T12:00:00Z` })
  const march = (day: number) => Date.UTC(2026, 2, day)

  it('finds the calls before an instant, oldest first, of one project', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [call('c', on(3)), call('b', on(1)), call('a', on(1)), call('d', on(5))])
    await store.calls.upsert('other', [call('x', on(1))])
    expect(await store.calls.olderThan('p', march(5), { limit: 10 })).toEqual(['a', 'b', 'c'])
    expect(await store.calls.olderThan('p', march(5), { limit: 2 })).toEqual(['a', 'b'])
    expect(await store.calls.olderThan('p', march(1), { limit: 2 })).toEqual([])
  })

  it('erases many at once, of one project, and keeps them from coming back', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [call('a'), call('b'), call('c')])
    await store.calls.upsert('other', [call('a')])
    expect(await store.calls.eraseAll('p', ['a', 'b', 'b', 'nowhere'])).toBe(2)
    expect(await rows(store, 'select project_id, session_id from calls order by 1, 2')).toEqual([
      ['other', 'a'],
      ['p', 'c'],
    ])
    const again = await store.calls.upsert(
      'p',
      ['a', 'b', 'c', 'nowhere'].map(id => call(id)),
    )
    expect([again.stored, [...again.erased].sort()]).toEqual([2, ['a', 'b']])
  })

  it('takes out what was said, and keeps what was found', async () => {
    const store = await openStore()
    await store.calls.upsert('p', [call('a', said), call('b', said), call('c')])
    expect(await store.calls.olderThan('p', march(9), { limit: 9, withTranscript: true })).toEqual(['a', 'b'])
    expect(await store.calls.eraseTranscripts('p', ['a', 'c', 'nowhere'])).toBe(1)
    expect(await store.calls.olderThan('p', march(9), { limit: 9, withTranscript: true })).toEqual(['b'])
    const [found] = await rows(
      store,
      `select transcript, search_text, signals::VARCHAR, guidance::VARCHAR, conditions::VARCHAR, duration_s, present_signals
       from calls where session_id = 'a'`,
    )
    expect(found).toEqual([
      null,
      'refund\nwent well.',
      "[{'key': sig.a, 'state': present, 'strength': 0.5, 'confidence': NULL, 'evidence': NULL}]",
      "[{'key': guide.a, 'kind': excellence, 'priority': NULL, 'text': Keep it up, 'evidence': NULL}]",
      "[{'key': hold, 'turn': 0, 'text': NULL}]",
      12,
      ['sig.a'],
    ])
  })
})
