import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '../../src/base/problem.js'
import type { CallRecord } from '../../src/calls/call-record.js'
import { evaluate, narrow, parsePipeline } from '../../src/pipeline/index.js'
import { refusedOperators } from '../../src/pipeline/refused-operators.js'
import { type Scope, scope } from '../../src/pipeline/scope.js'
import { callSource } from '../../src/store/duckdb/reading/call-source.js'
import { NOW, createCalls, fillCalls, recordShape, runCompiled, toDocument } from '../support/call-engine.js'
import { failing, failingPlaces as places } from '../support/failing-expressions.js'
import { typedTexts } from '../support/pipeline-cases.js'
import { isTried } from '../support/whole.js'
import { markedCalls as calls, trapCalls as traps } from '../support/trap-calls.js'

/**
 * No pipeline returns, counts or tells of a call out of scope. Two projects share agents' names and session ids; what
 * only strangers' calls hold is marked, and makes expressions fail that no call in scope makes fail.
 */

const ours = [...calls('p'), ...traps('p', 'Trap')]

const scopes: readonly (readonly [string, Scope, (call: CallRecord) => boolean])[] = [
  ['one agent', scope('p', ['Ana']), call => call.agent_name === 'Ana'],
  ['two agents', scope('p', ['Ana', 'Cyd']), call => call.agent_name === 'Ana' || call.agent_name === 'Cyd'],
  ['no agent', scope('p', []), () => false],
  ['an agent without calls', scope('p', ['Zoe']), () => false],
  ['a name that is no pattern', scope('p', ['A%', "Ana' or '1'='1", '$agent_name']), () => false],
  ['the whole project', scope('p', 'all'), () => true],
  ['a project without calls', scope('none', 'all'), () => false],
]

let connection: Awaited<ReturnType<DuckDBInstance['connect']>>
let instance: DuckDBInstance
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  connection = await instance.connect()
  await connection.run("set timezone = 'UTC'")
  await createCalls(connection)
  await fillCalls(connection, 'p', ours)
  await fillCalls(connection, 'q', [...calls('q'), ...traps('q', 'Ana'), ...traps('q', 'Trap')])
})
afterAll(() => instance.closeSync())

const parse = (pipeline: readonly object[]) => parsePipeline(pipeline, { shape: recordShape, now: NOW })

/** Pipelines that try to get around the narrowing. */
const escapes: readonly (readonly [string, readonly object[]])[] = [
  ['no stage at all', []],
  ['every call', [{ $match: {} }]],
  ['another agent by name', [{ $match: { agent_name: 'Ben' } }]],
  ['any agent', [{ $match: { $or: [{ agent_name: { $exists: true } }, { agent_name: { $ne: 'x' } }] } }]],
  ['nor', [{ $match: { $nor: [{ agent_name: 'Ana' }] } }]],
  ['another project by a field of that name', [{ $match: { project_id: 'q' } }]],
  ['whatever project', [{ $match: { project_id: { $ne: 'p' } } }, { $count: 'n' }]],
  ['the stored column as a field', [{ $project: { project_id: 1, session_key: 1, search_text: 1, duration_s: 1 } }]],
  ['the project in an expression', [{ $project: { p: '$project_id', k: '$session_key' } }]],
  ['renamed agents', [{ $addFields: { agent_name: 'Ben' } }, { $match: { agent_name: 'Ben' } }]],
  ['a project of one’s own', [{ $addFields: { project_id: 'q' } }, { $match: { project_id: 'q' } }]],
  ['a session id that another project has too', [{ $match: { _id: 'call-Ana-0' } }]],
  ['a session of another agent', [{ $match: { session_id: 'call-Ben-1' } }]],
  ['a session by $in', [{ $match: { _id: { $in: ['call-Ben-1', 'trap-Ana', 'call-Ana-1'] } } }]],
  ['a session by $expr', [{ $match: { $expr: { $eq: ['$_id', 'call-Ben-1'] } } }]],
  ['a lookup negated', [{ $match: { _id: { $ne: 'call-Ana-0' } } }]],
  ['$$ROOT', [{ $project: { all: '$$ROOT' } }]],
  ['$$CURRENT', [{ $group: { _id: null, all: { $push: '$$CURRENT' } } }]],
  ['$replaceRoot', [{ $replaceRoot: { newRoot: '$$ROOT' } }]],
  ['$replaceWith', [{ $replaceWith: { a: '$agent_name', m: '$session_metadata' } }]],
  ['counts', [{ $count: 'n' }]],
  ['counts in $facet', [{ $facet: { all: [{ $count: 'n' }], ben: [{ $match: { agent_name: 'Ben' } }], raw: [] } }]],
  [
    'groups',
    [{ $group: { _id: '$agent_name', n: { $sum: 1 }, titles: { $addToSet: '$title' } } }, { $sort: { _id: 1 } }],
  ],
  ['$sortByCount', [{ $sortByCount: '$agent_name' }]],
  [
    '$bucket',
    [{ $bucket: { groupBy: '$score', boundaries: [0, 2, 9], default: 'other', output: { t: { $push: '$title' } } } }],
  ],
  ['$bucketAuto', [{ $bucketAuto: { groupBy: '$agent_name', buckets: 9 } }]],
  ['$redact', [{ $redact: '$$KEEP' }]],
  ['$redact that descends', [{ $redact: '$$DESCEND' }]],
  [
    '$unwind',
    [{ $unwind: '$signals' }, { $unwind: '$signals.evidence' }, { $project: { q: '$signals.evidence.quote' } }],
  ],
  [
    'windows over all',
    [{ $setWindowFields: { sortBy: { _id: 1 }, output: { all: { $push: '$title' }, n: { $count: {} } } } }],
  ],
  [
    'the neighbours',
    [
      {
        $setWindowFields: {
          sortBy: { _id: 1 },
          output: { before: { $shift: { output: '$title', by: -1 } }, after: { $shift: { output: '$title', by: 1 } } },
        },
      },
    ],
  ],
  [
    '$fill',
    [
      {
        $fill: {
          sortBy: { _id: 1 },
          output: { outcome: { method: 'locf' }, language_primary: { value: '$agent_name' } },
        },
      },
    ],
  ],
  ['$densify', [{ $densify: { field: 'created_dt', range: { step: 1, unit: 'day', bounds: 'full' } } }]],
  ['sorted and skipped', [{ $sort: { _id: -1 } }, { $skip: 1 }, { $limit: 100 }]],
  ['a limit before a filter', [{ $sort: { _id: 1 } }, { $limit: 2 }, { $match: { agent_name: { $ne: 'Ana' } } }]],
  ['SQL in a name', [{ $project: { 'a"; drop table calls; --': '$title' } }]],
  ['SQL in a value', [{ $match: { title: "x' or project_id = 'q" } }]],
  ['SQL in a path', [{ $match: { "session_metadata.x' or 1=1 --": 1 } }]],
  ['SQL in a pattern', [{ $match: { title: { $regex: "[')] or true --|q-" } } }]],
  ['patterns', [{ $match: { title: { $regex: '(?s).*' } } }]],
]

/** What a pipeline gives over the calls a scope holds: documents, or the sentence of its failure. */
function expected(pipeline: readonly object[], holds: (call: CallRecord) => boolean): unknown {
  try {
    return typedTexts(evaluate(parse(pipeline), ours.filter(holds).map(toDocument)), true)
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

async function answered(pipeline: readonly object[], within: Scope): Promise<unknown> {
  try {
    const { documents } = await runCompiled(connection, narrow(parse(pipeline), within), callSource)
    return typedTexts(documents, true)
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

/** Which of several failures is told first is free; that one is told is not. */
const told = (answer: unknown): unknown => (typeof answer === 'string' ? 'a failure' : setless(answer))

/** Sets come in no order. */
const setless = (answer: unknown): unknown =>
  Array.isArray(answer)
    ? answer.map(text =>
        String(text)
          .split(/[[\],]/)
          .map(item => item.trim())
          .toSorted()
          .join(),
      )
    : answer

const isKnown = (pipeline: readonly object[]) => {
  try {
    return parse(pipeline).stages.length > 0
  } catch {
    return false
  }
}

describe.each(scopes.map((one, i) => [...one, i] as const))('%s', (_, within, holds, column) => {
  test.each(escapes)('gives nothing beyond it: %s', async (__, pipeline) => {
    const answer = await answered(pipeline, within)
    expect(setless(answer)).toEqual(setless(expected(pipeline, holds)))
    expect(JSON.stringify(answer)).not.toMatch(/q-/)
  })

  const attempts = failing.flatMap(([what, expression]) =>
    places.map(([where, put]) => [`${what} in ${where}`, put(expression)] as const),
  )
  test.each(attempts.filter(([, pipeline], row) => isTried(row, column, 7) && isKnown(pipeline)))(
    'fails only for its own calls: %s',
    async (__, pipeline) => {
      const answer = await answered(pipeline, within)
      expect(told(answer)).toEqual(told(expected(pipeline, holds)))
    },
  )
})

test('without traps in scope nothing fails, whatever strangers hold', async () => {
  for (const [row, [, expression]] of failing.entries()) {
    for (const [column, [, put]] of places.entries()) {
      if (!isTried(row, column, 4)) continue
      const pipeline = put(expression)
      if (!isKnown(pipeline)) continue
      // oxlint-disable-next-line no-await-in-loop -- one connection
      const answer = await answered(pipeline, scope('p', ['Ana', 'Ben', 'Cyd']))
      expect({ pipeline, answer }).toEqual({ pipeline, answer: expect.any(Array) })
    }
  }
})

describe('what is refused is refused wherever it stands', () => {
  const stages = [...refusedOperators.keys()].filter(name => !name.startsWith('$$'))
  const hidden: readonly ((name: string) => readonly object[])[] = [
    name => [{ [name]: {} }],
    name => [{ $match: {} }, { [name]: 'x' }],
    name => [{ $facet: { a: [{ [name]: {} }] } }],
    name => [{ $match: { [name]: {} } }],
    name => [{ $match: { a: { [name]: {} } } }],
    name => [{ $match: { a: { $elemMatch: { [name]: {} } } } }],
    name => [{ $match: { a: { $not: { [name]: {} } } } }],
    name => [{ $match: { $and: [{ $or: [{ $nor: [{ [name]: {} }] }] }] } }],
    name => [{ $match: { $expr: { [name]: {} } } }],
    name => [{ $match: { $expr: { $and: [{ $not: [{ [name]: {} }] }] } } }],
    name => [{ $project: { a: { [name]: {} } } }],
    name => [{ $project: { a: { b: { c: [{ [name]: {} }] } } } }],
    name => [{ $project: { a: { $cond: [1, 2, { [name]: {} }] } } }],
    name => [{ $project: { a: { $let: { vars: { x: { [name]: {} } }, in: 1 } } } }],
    name => [{ $group: { _id: { [name]: {} } } }],
    name => [{ $group: { _id: 1, a: { [name]: {} } } }],
    name => [{ $group: { _id: 1, a: { $sum: { [name]: {} } } } }],
    name => [{ $bucket: { groupBy: { [name]: {} }, boundaries: [1, 2] } }],
    name => [{ $setWindowFields: { output: { a: { [name]: {} } } } }],
    name => [{ $redact: { [name]: {} } }],
    name => [{ $replaceWith: { a: { [name]: {} } } }],
    name => [{ $fill: { output: { a: { value: { [name]: {} } } } } }],
    name => [{ $sortByCount: { [name]: {} } }],
  ]
  test.each(stages)('%s', name => {
    for (const hide of hidden) expect(() => parse(hide(name))).toThrow(/is not (allowed|known)/)
  })

  test.each([...refusedOperators.keys()].filter(name => name.startsWith('$$')))('%s', name => {
    expect(() => parse([{ $project: { a: name } }])).toThrow('is not allowed')
    expect(() => parse([{ $match: { $expr: { $eq: [`${name}.x`, 1] } } }])).toThrow('is not allowed')
    expect(() => parse([{ $group: { _id: { a: [name] } } }])).toThrow('is not allowed')
  })
})
