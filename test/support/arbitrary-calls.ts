import * as fc from 'fast-check'
import type { CallRecord } from '../../src/calls/call-record.js'

/** Texts that are easily confused: case, astral characters, combining ones, what SQL or MongoDB could take for more. */
const texts = [
  '',
  'a',
  'A',
  'b',
  'ab',
  'B',
  ' ',
  'é',
  'e\u0301',
  'ß',
  'Z',
  '\u{1f600}',
  '\u{10000}',
  '\uffff',
  '$a',
  "o'x",
  'x"y',
  '%',
  '_',
  '\\',
  '10',
  '9',
  '-1',
  '1.5',
  'true',
  'null',
  '2026-03-01',
  '2026-03-01T00:00:00Z',
  'a.b',
  'line\nbreak',
  'NaN',
]

const text = fc.constantFrom(...texts)

/** Numbers that add up exactly in any order, so that sums can be compared. */
const eighths = (low: number, high: number) => fc.integer({ min: low * 8, max: high * 8 }).map(n => n / 8)

const date = fc.constantFrom(
  '1970-01-01T00:00:00.000Z',
  '1999-12-31T23:59:59.999Z',
  '2024-02-29T12:00:00Z',
  '2026-03-01T00:00:00Z',
  '2026-03-01T00:00:00.001Z',
  '2026-03-29T01:30:00Z',
  '2026-10-25T00:30:00Z',
  '2026-01-01T00:00:00Z',
  '2025-12-28T10:20:30Z',
  '2199-12-31T23:00:00Z',
  '2026-07-04T18:45:12.345Z',
)

const metadataScalar = fc.oneof(
  { weight: 3, arbitrary: text },
  {
    weight: 3,
    arbitrary: fc.constantFrom(0, 1, 2, -1, 2.5, -0.125, 10, 2147483647, 2147483648, -2147483649, 4503599627370497),
  },
  { weight: 1, arbitrary: fc.constantFrom(true, false, null) },
)

/** JSON of any shape, as session_metadata holds it. */
const metadataValue: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    { weight: 6, arbitrary: metadataScalar },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(metadataScalar, { maxLength: 3 }) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.constantFrom('x', 'y', '0', 'X'), tie('value'), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    },
  ),
})).value

const evidence = fc.array(fc.record({ turn: fc.integer({ min: 0, max: 3 }), quote: text }), { maxLength: 2 })
const key = fc.constantFrom('k.a', 'k.b', 'k.c')

const optional: { requiredKeys: []; noNullPrototype: true } = { requiredKeys: [], noNullPrototype: true }

const call = fc.record(
  {
    agent_name: fc.constantFrom('Ana', 'Ben', 'Ángela'),
    created_dt: date,
    title: text,
    channel: fc.constantFrom('phone', 'chat', 'email', 'sms'),
    interaction_direction: fc.constantFrom('inbound', 'outbound'),
    language_primary: fc.constantFrom('en', 'de', ''),
    score: eighths(1, 5),
    predicted_csat: eighths(1, 5),
    outcome_lift: fc.record(
      { lift: eighths(-1, 1), lift_band: fc.constantFrom('neutral', 'positive'), p_context: eighths(0, 1) },
      optional,
    ),
    dimensions: fc.array(fc.record({ key, value: fc.constantFrom('high', 'low', '') }), { maxLength: 2 }),
    scores: fc.array(fc.record({ key, value: fc.constantFrom(0, 1.5, -3, 100) }), { maxLength: 2 }),
    signals: fc.array(
      fc.record(
        { key, state: fc.constantFrom('present', 'absent', 'unclear'), strength: eighths(0, 1), evidence },
        { requiredKeys: ['key', 'state'], noNullPrototype: true },
      ),
      { maxLength: 3 },
    ),
    talk_patterns: fc.record(
      {
        hold_count: fc.integer({ min: 0, max: 3 }),
        interruption_count: fc.constantFrom(0, 7, 2147483647),
        talk_time_ratio: eighths(0, 1),
        total_duration_s: fc.constantFrom(0, 60, 61.5, 1e7),
      },
      optional,
    ),
    trust: fc.record(
      { level: fc.constantFrom('high', 'low'), score: eighths(0, 1), reasons: fc.array(text, { maxLength: 3 }) },
      optional,
    ),
    transcript: fc.array(
      fc.record({ turn: fc.integer({ min: 0, max: 3 }), actor: fc.constantFrom('agent', 'customer'), text }),
      { maxLength: 2 },
    ),
    evaluation: fc.record({ evaluator: fc.constantFrom('rules', 'model'), evaluated_at: date }, optional),
    session_metadata: fc.record(
      {
        s: text,
        n: metadataScalar,
        v: metadataValue,
        o: fc.record({ p: metadataValue, q: metadataScalar }, optional),
        tags: fc.array(text, { maxLength: 3 }),
      },
      optional,
    ),
  },
  { requiredKeys: ['agent_name', 'created_dt'], noNullPrototype: true },
)

/** Calls of the record's shape with missing, empty, extreme and mixed values. */
export const arbitraryCalls: fc.Arbitrary<readonly CallRecord[]> = fc
  .array(call, { minLength: 0, maxLength: 9 })
  .map(calls =>
    calls.map((one, i): CallRecord => ({
      ...(one as CallRecord),
      session_id: `c${i}`,
      agent_id: one.agent_name.toLowerCase(),
    })),
  )
