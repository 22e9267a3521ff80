import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callRecord } from '../../src/calls/call-record.js'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { prepareRecord } from '../../src/ingest/prepare-record.js'

const minimal = { session_id: 's', agent_name: 'Ann', created_dt: '2026-03-01T12:00:00.000Z' }

/** Prepares a record as import does, from its JSON. */
function preparing(record: object, text = JSON.stringify(record)) {
  const ascii = Buffer.byteLength(text) === text.length
  const prepared = prepareRecord(JSON.parse(text), { text, ascii })
  if ('faults' in prepared) return { faults: prepared.faults }
  return { record: JSON.parse(prepared.record.json) as Record<string, unknown>, removed: prepared.removed }
}

describe('prepareRecord', () => {
  it('leaves a record alone that is as it is kept', () => {
    expect(preparing(minimal)).toEqual({ record: minimal, removed: 0 })
  })

  it.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00+02:00', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T12:00:00.123987Z', '2026-03-01T12:00:00.123Z'],
  ])('keeps the time %s as %s', (written, kept) => {
    const evaluation = { evaluated_at: written }
    expect(preparing({ ...minimal, created_dt: written, evaluation }).record).toMatchObject({
      created_dt: kept,
      evaluation: { evaluated_at: kept },
    })
  })

  it('trims names and composes them', () => {
    const { record } = preparing({
      ...minimal,
      agent_name: ' Zoe\u0308 ',
      interaction_driver: ' refund ',
      signals: [{ key: ' sig.x ', state: 'present' }],
      session_metadata: { location: ' Köln ', note: ' as it is ' },
    })
    expect(record).toMatchObject({
      agent_name: 'Zo\u00eb',
      interaction_driver: 'refund',
      signals: [{ key: 'sig.x', state: 'present' }],
      session_metadata: { location: 'Köln', note: ' as it is ' },
    })
  })

  it('takes characters out of free text that nobody sees, and counts them', () => {
    const { record, removed } = preparing({
      ...minimal,
      title: 'a\u0000b',
      transcript: [{ turn: 0, actor: 'agent', text: 'pay \u202e05\u202c now\u{e0041}\ud800\n' }],
      session_metadata: { own: { list: ['x\u0007y'] } },
    })
    expect(removed).toBe(6)
    expect(record).toMatchObject({
      title: 'ab',
      transcript: [{ text: 'pay 05 now\n' }],
      session_metadata: { own: { list: ['xy'] } },
    })
  })

  it('leaves out what is null, but for session_metadata', () => {
    const { record } = preparing({
      ...minimal,
      title: null,
      trust: { level: 'high', score: null },
      session_metadata: { a: null },
    })
    expect(record).toEqual({ ...minimal, trust: { level: 'high' }, session_metadata: { a: null } })
  })

  it('reads a key that is written twice one way only', () => {
    const text = '{"session_id":"s","agent_name":"Eve","agent_name":"Ann","created_dt":"2026-03-01T12:00:00.000Z"}'
    expect(prepareRecord(JSON.parse(text), { text, ascii: true })).toMatchObject({
      record: { agent_name: 'Ann', json: JSON.stringify(minimal) },
    })
  })

  it('says yes exactly where the schema does, whatever is changed in a record', () => {
    const [complete = ''] = generateCalls({ calls: 1, seed: 5, end: new Date('2026-03-01') }).lines
    const odd = fc.oneof(
      fc.constantFrom<unknown>(
        '',
        'a\nb',
        '\u0000',
        '2026-02-30T00:00:00Z',
        '1969-12-31',
        -1,
        0,
        5.5,
        1e9,
        2 ** 31,
        true,
      ),
      fc.constantFrom<unknown>({}, [], [1], [{}], { a: 1 }, 'x'.repeat(1_001), '😀'.repeat(501), 'high', 'present'),
    )
    fc.assert(
      fc.property(fc.nat(), odd, fc.boolean(), (place, value, remove) => {
        const record = JSON.parse(complete) as Record<string, unknown>
        changeAt(record, place, value, remove)
        const text = JSON.stringify(record)
        const ascii = Buffer.byteLength(text) === text.length
        const quick = prepareRecord(JSON.parse(text), { text, ascii })
        const careful = prepareRecord(JSON.parse(text))
        expect(quick).toEqual(careful)
        const kept = 'record' in quick ? [JSON.parse(quick.record.json) as unknown] : []
        expect(kept.every(one => callRecord.safeParse(one).success)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

/** Changes or removes the n-th value of a tree, counted round and round. */
function changeAt(tree: Record<string, unknown>, place: number, value: unknown, remove: boolean): void {
  const places: (readonly [Record<string, unknown>, string])[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, inner] of Object.entries(node)) {
      places.push([node as Record<string, unknown>, key])
      visit(inner)
    }
  }
  visit(tree)
  const [node, key] = places[place % places.length] ?? [tree, 'session_id']
  if (remove && !Array.isArray(node)) delete node[key]
  else node[key] = value
}
