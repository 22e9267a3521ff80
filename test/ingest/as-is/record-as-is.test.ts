import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateCalls } from '../../../src/demo/generate-calls.js'
import { recordAsIs } from '../../../src/ingest/as-is/record-as-is.js'
import { parseJson } from '../../../src/ingest/parse-json.js'
import { prepareRecord } from '../../../src/ingest/prepare-record.js'

const CALLS = [...generateCalls({ calls: 40, seed: 5, end: new Date('2026-03-01T00:00:00Z') }).lines].map(l => l.trim())

const minimal = { session_id: 's', agent_name: 'Ann', created_dt: '2026-03-01T12:00:00.000Z' }
const evaluation = { evaluator: 'imported' }

function taken(text: string) {
  const bytes = Buffer.from(text)
  return recordAsIs(bytes, 0, bytes.length)
}

/** What the usual way makes of a text; undefined where it says anything of it. */
function usual(text: string) {
  const parsed = parseJson(Buffer.from(text), false)
  if ('fault' in parsed) return undefined
  const prepared = prepareRecord(parsed.value, parsed.source)
  if ('faults' in prepared || prepared.removed > 0 || prepared.warnings !== undefined) return undefined
  return prepared.record
}

/** Where in something, from 0 to less than 1. */
const place = fc.noBias(fc.nat(9_999)).map(tenThousandths => tenThousandths / 10_000)

/** Fails where a text is taken of which the usual way makes anything else. */
function compare(text: string): boolean {
  const parts = taken(text)
  if (parts === undefined) return false
  const { session_id, agent_id, agent_name } = parts
  expect({ session_id, agent_id, agent_name, json: text }).toEqual(usual(text))
  return true
}

describe('recordAsIs', () => {
  it('takes the calls that are written as they are stored', () => {
    for (const call of CALLS) expect(compare(call)).toBe(true)
  })

  it.each([
    ['the least there may be', minimal],
    [
      'Latin letters and signs of typesetting',
      { ...minimal, agent_name: 'Zoë Müller', title: 'Ÿ – “so” … ’'.slice(2) },
    ],
    [
      'quotes and lines in what was said',
      { ...minimal, transcript: [{ turn: 0, actor: 'agent', text: 'a "b"\nc \\ d' }] },
    ],
    [
      'metadata of any shape',
      { ...minimal, session_metadata: { store_id: 'x', own: { a: [1, -2.5, 'b', true, false, {}, []] } } },
    ],
    [
      'numbers',
      {
        ...minimal,
        evaluation,
        predicted_csat: 4.123456789,
        score: 1,
        outcome_lift: { lift: -0.05, lift_band: 'neutral' },
      },
    ],
    ['small numbers', { ...minimal, session_metadata: { a: 0.000001, b: -0.0000015, c: 0, d: 999999999999999 } }],
    ['a recording', { ...minimal, recording_url: 'https://example.com/a.wav' }],
    ['empty lists', { ...minimal, transcript: [], signals: [], trust: {} }],
  ])('takes %s', (_, record) => {
    expect(compare(JSON.stringify(record))).toBe(true)
  })

  it.each([
    ['a blank', '{"session_id": "s","agent_name":"A","created_dt":"2026-03-01T12:00:00.000Z"}'],
    ['a key twice', '{"session_id":"s","agent_name":"A","agent_name":"A","created_dt":"2026-03-01T12:00:00.000Z"}'],
    ['what is behind it', `${JSON.stringify(minimal)} `],
    ['what is cut off', JSON.stringify(minimal).slice(0, -1)],
    ['an escape that is not written', JSON.stringify({ ...minimal, title: 'x' }).replace('x', '\\u0041')],
    ['a slash that is escaped', JSON.stringify({ ...minimal, title: 'x' }).replace('x', '\\/')],
    ['an exponent', JSON.stringify({ ...minimal, score: 4 }).replace('4', '4e0')],
    ['a zero at the end', JSON.stringify({ ...minimal, evaluation, score: 4 }).replace('4', '4.0')],
    ['minus zero', JSON.stringify({ ...minimal, session_metadata: { a: 7 } }).replace('7', '-0')],
    [
      'a number of many digits',
      JSON.stringify({ ...minimal, session_metadata: { a: 7 } }).replace('7', '0.12345678901234567'),
    ],
    [
      'a number that JavaScript writes otherwise',
      JSON.stringify({ ...minimal, session_metadata: { a: 7 } }).replace('7', '0.0000001'),
    ],
    [
      'the name of a prototype',
      JSON.stringify({ ...minimal, session_metadata: { a: 1 } }).replace('"a"', '"__proto__"'),
    ],
  ])('leaves %s to the usual way', (_, text) => {
    expect(taken(text)).toBeUndefined()
  })

  it.each([
    ['no agent', { session_id: 's', created_dt: minimal.created_dt }],
    ['an unknown field', { ...minimal, colour: 1 }],
    ['a null', { ...minimal, title: null }],
    ['a time of another form', { ...minimal, created_dt: '2026-03-01T12:00:00Z' }],
    ['a day that is not', { ...minimal, created_dt: '2026-02-30T12:00:00.000Z' }],
    ['a year out of range', { ...minimal, created_dt: '2200-01-01T00:00:00.000Z' }],
    ['a call to come', { ...minimal, created_dt: '2199-01-01T00:00:00.000Z' }],
    ['a name to be trimmed', { ...minimal, agent_name: 'Ann ' }],
    ['a key to be trimmed', { ...minimal, evaluation, signals: [{ key: ' k', state: 'present' }] }],
    ['a letter to be composed', { ...minimal, agent_name: 'Zoe\u0308' }],
    ['a hidden character', { ...minimal, title: 'a\u202eb' }],
    ['a delete', { ...minimal, title: 'a\u007fb' }],
    ['a control of C1', { ...minimal, title: 'a\u0085b' }],
    ['too long an id', { ...minimal, session_id: 'x'.repeat(201) }],
    ['an empty id', { ...minimal, session_id: '' }],
    ['a word that is none', { ...minimal, channel: 'fax' }],
    ['a score too high', { ...minimal, evaluation, score: 5.1 }],
    ['a part of a whole', { ...minimal, talk_patterns: { hold_count: 0.5 } }],
    ['text for a number', { ...minimal, talk_patterns: { hold_count: '1' } }],
    ['turns numbered otherwise', { ...minimal, transcript: [{ turn: 1, actor: 'agent', text: 'a' }] }],
    [
      'a turn that ends before it begins',
      { ...minimal, transcript: [{ turn: 0, actor: 'agent', text: 'a', start_s: 2, end_s: 1 }] },
    ],
    ['a value outside its range', { ...minimal, evaluation, scores: [{ key: 'k', value: 6, range: [1, 5] }] }],
    ['a range of one', { ...minimal, evaluation, scores: [{ key: 'k', value: 1, range: [1] }] }],
    [
      'a signal of two states',
      { ...minimal, evaluation, signals: ['present', 'absent'].map(state => ({ key: 'k', state })) },
    ],
    [
      'evidence at no turn',
      {
        ...minimal,
        transcript: [],
        evaluation,
        signals: [{ key: 'k', state: 'present', evidence: [{ turn: 0, quote: 'q' }] }],
      },
    ],
    ['a band of another lift', { ...minimal, evaluation, outcome_lift: { lift: 0.5, lift_band: 'neutral' } }],
    ['a lift without its band', { ...minimal, evaluation, outcome_lift: { lift: 0.5 } }],
    ['readings of nobody', { ...minimal, score: 4 }],
    ['a place that is none', { ...minimal, recording_url: '../a.wav' }],
    ['metadata sorted otherwise', { ...minimal, session_metadata: { a: 1, 7: 2 } }],
    ['much metadata', { ...minimal, session_metadata: { a: 'x'.repeat(64 * 1024) } }],
    ['a number too large', { ...minimal, session_metadata: { a: 1e16 } }],
    ['deep metadata', { ...minimal, session_metadata: { a: JSON.parse('['.repeat(40) + ']'.repeat(40)) as unknown } }],
  ])('leaves %s to the usual way', (_, record) => {
    expect(taken(JSON.stringify(record))).toBeUndefined()
  })

  it('stops where a record ends, whatever stands behind it', () => {
    const text = JSON.stringify(minimal)
    const bytes = Buffer.from(`${text}\n${text}`)
    expect(recordAsIs(bytes, 0, text.length)).toBeDefined()
    expect(recordAsIs(bytes, text.length + 1, bytes.length)).toBeDefined()
    expect(recordAsIs(bytes, 0, text.length - 1)).toBeUndefined()
  })

  it('takes no text of which the usual way makes another, however a call is changed', () => {
    // prettier-ignore
    const pieces = ['', '"', '\\', '\\n', '\\"', '\\u0041', ' ', '\n', ',', ':', '{', '}', '[', ']', '{}', '[]', '0', '1', '9', '-', '-0', '.', '.0', '.5',
      'e1', '00', 'null', 'true', '""', '"a"', '"a":1,', '"turn":0,', '"key":"k",', '__proto__', 'é', '’', 'ß', '\u0301', '\u00a0', '\u2028', '\u202e', '\u0085',
      '2026-02-29T12:00:00.000Z', '5.1', '1e400', '0.0000001', '123456789012345678', ']}', '}]', 'absent', 'present', ',"session_metadata":{"x":1}']
    const edit = fc.record({
      at: place,
      out: fc.nat(12),
      put: fc.constantFrom(...pieces),
    })
    let changed = 0
    fc.assert(
      fc.property(fc.constantFrom(...CALLS), fc.array(edit, { minLength: 1, maxLength: 2 }), (call, edits) => {
        const text = edits.reduce((given, { at, out, put }) => {
          const from = Math.floor(at * given.length)
          return given.slice(0, from) + put + given.slice(from + out)
        }, call)
        if (compare(text) && text !== call) changed += 1
      }),
      { seed: 25, numRuns: 4_000 },
    )
    expect(changed).toBeGreaterThan(300)
  })

  it('takes no record of which the usual way makes another, whatever its values are', () => {
    const odd = fc.constantFrom<unknown>(
      null,
      true,
      '',
      ' a',
      'a',
      'é',
      'x'.repeat(1_001),
      -0.5,
      0,
      1,
      3,
      0.1 + 0.2,
      1e21,
      1e-7,
      2 ** 53,
      [],
      {},
      [1, 5],
      { a: 1 },
    )
    const values = fc.oneof(odd, fc.jsonValue({ maxDepth: 2 }))
    const leaves = (value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] =>
      typeof value === 'object' && value !== null
        ? [
            ...(path.length > 0 ? [path] : []),
            ...Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key])),
          ]
        : [path]
    let changed = 0
    fc.assert(
      fc.property(fc.constantFrom(...CALLS), place, values, (call, at, value) => {
        const record = JSON.parse(call) as Record<string, unknown>
        const paths = leaves(record)
        const path = paths[Math.floor(at * paths.length)]!
        const holder = path
          .slice(0, -1)
          .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], record)
        ;(holder as Record<string, unknown>)[path.at(-1)!] = value
        if (compare(JSON.stringify(record))) changed += 1
      }),
      { seed: 25, numRuns: 1_200 },
    )
    expect(changed).toBeGreaterThan(60)
  })
})
