import type { CallRecord } from '../../src/calls/call-record.js'

interface Find {
  readonly name: string
  readonly calls: readonly CallRecord[]
  readonly pipeline: readonly object[]
}

/** A call with what every call has. */
const call = (more: Partial<CallRecord> = {}): CallRecord => ({
  session_id: 'c0',
  agent_id: 'ana',
  agent_name: 'Ana',
  created_dt: '2026-03-01T00:00:00Z',
  ...more,
})

/** What long runs of the property test have found: mended, and kept. */
export const finds: readonly Find[] = [
  {
    name: 'the fields of a literal that is no document',
    calls: [],
    pipeline: [
      { $addFields: { title: '$session_metadata.n', w: { $objectToArray: { $literal: ['$talk_patterns'] } } } },
    ],
  },
  {
    name: 'the fields of metadata that is missing',
    calls: [call()],
    pipeline: [{ $project: { x: { $objectToArray: '$session_metadata' } } }],
  },
  {
    name: 'an order by documents that hold metadata',
    calls: [
      call({ session_metadata: { v: 2 }, talk_patterns: { hold_count: 1 } }),
      call({ session_id: 'c1', session_metadata: { v: 1 } }),
    ],
    pipeline: [
      { $group: { _id: { a: '$session_metadata', b: 0 }, n: { $min: '$talk_patterns.hold_count' } } },
      { $group: { _id: null, n: { $bottom: { sortBy: { _id: 1 }, output: '$n' } } } },
    ],
  },
  {
    name: 'a null of metadata in a document that leaves the engine',
    calls: [call()],
    pipeline: [
      { $group: { _id: '$session_metadata.v' } },
      { $group: { _id: { a: '$_id', b: 1 } } },
      { $fill: { output: { n: { value: { $median: { input: [], method: 'approximate' } } } } } },
    ],
  },
  {
    name: 'a failure in a field of a document, set before another of its fields',
    calls: [call({ title: 'x' })],
    pipeline: [{ $set: { z: { A: { $multiply: ['$title', 1] }, b: 1 } } }],
  },
  {
    name: 'a failure in a field that is set in every element of a list',
    calls: [call({ title: 'x', scores: [{ key: 'k.a', value: 1 }] })],
    pipeline: [{ $set: { scores: { A: { $multiply: ['$title', 1] }, b: 1 } } }],
  },
  {
    name: 'a session looked up after a condition that fails for another',
    calls: [call({ title: 'x' })],
    pipeline: [{ $match: { $and: [{ $expr: { $multiply: ['$title', 1] } }, { session_id: 'another' }] } }],
  },
  {
    name: 'the last element of a literal that is no array',
    calls: [call()],
    pipeline: [{ $project: { x: { $in: [1, { $last: { $literal: {} } }] } } }],
  },
  {
    name: 'the place of a field that a document lacked, within a document',
    calls: [
      call({ talk_patterns: { total_duration_s: 60, hold_count: 1 } }),
      call({ session_id: 'c1', talk_patterns: { hold_count: 5 } }),
    ],
    pipeline: [
      { $fill: { sortBy: { session_id: 1 }, output: { 'talk_patterns.total_duration_s': { method: 'locf' } } } },
      { $group: { _id: '$channel', r: { $addToSet: '$talk_patterns' } } },
      { $set: { r: { $sortArray: { input: '$r', sortBy: 1 } } } },
    ],
  },
  {
    name: 'a step of $reduce that looks at another field of its document',
    calls: [
      call({ talk_patterns: { total_duration_s: 60 }, transcript: [{ turn: 0, actor: 'agent', text: 'x' }] }),
      call({
        session_id: 'c1',
        talk_patterns: { total_duration_s: 0 },
        transcript: [
          { turn: 0, actor: 'agent', text: 'x' },
          { turn: 1, actor: 'agent', text: 'y' },
        ],
      }),
    ],
    pipeline: [
      {
        $project: {
          n: {
            $reduce: {
              input: '$transcript.turn',
              initialValue: 0,
              in: { $add: ['$$value', '$talk_patterns.total_duration_s'] },
            },
          },
        },
      },
    ],
  },
  {
    name: 'the place of a field that a document lacked, in the document as a whole',
    calls: [call({ title: 'a' }), call({ session_id: 'a1', channel: 'phone' })],
    pipeline: [
      { $project: { _id: 0, title: 1, channel: 1 } },
      { $set: { title: { $ifNull: ['$title', 'none'] }, channel: { $ifNull: ['$channel', 'chat'] } } },
      { $group: { _id: null, r: { $push: '$$ROOT' } } },
      { $set: { r: { $sortArray: { input: '$r', sortBy: 1 } } } },
    ],
  },
]
