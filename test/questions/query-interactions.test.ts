import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callFields } from '../../src/calls/call-fields.js'
import { callRecord, type CallRecord } from '../../src/calls/call-record.js'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { queryInteractions } from '../../src/questions/query-interactions.js'
import { workedPipelines } from '../../src/questions/worked-pipelines.js'
import { type Asking, asking, caller } from '../support/asking.js'

const generated: CallRecord[] = []
for (const line of generateCalls({ calls: 300, seed: 5, end: new Date('2026-03-15T00:00:00Z') }).lines) {
  generated.push(callRecord.parse(JSON.parse(line)))
}

const numbers = [1, 2, 3, 4, 5].map(score => ({
  session_id: `s${score}`,
  agent_name: score < 3 ? 'Ana' : 'Ben',
  created_dt: `2026-03-0${score}T10:00:00Z`,
  score,
  session_metadata: { queue: 'north', visits: 9_007_199_254_740_991 },
}))

let service: Asking
beforeAll(async () => {
  service = await asking()
  await service.import('p', numbers)
  await service.import('other', generated)
})
afterAll(() => service.close())

const ask = (args: object, who = caller()) => service.ask(queryInteractions, args, who)
const documents = async (pipeline: unknown, more: object = {}) => (await ask({ pipeline, ...more })).documents

describe('a field of session_metadata that no call has', () => {
  const warnings = async (pipeline: object[]) => (await ask({ pipeline })).warnings
  test.each([
    [
      [{ $group: { _id: '$session_metadata.qeue', n: { $sum: 1 } } }],
      ['pipeline[0].$group: no call has "session_metadata.qeue"; did you mean "session_metadata.queue"?'],
    ],
    [
      [{ $match: { score: 3 } }, { $match: { 'session_metadata.store': 5 } }],
      ['pipeline[1].$match: no call has "session_metadata.store"'],
    ],
    [[{ $sortByCount: '$session_metadata.queue' }], []],
    [[{ $set: { 'session_metadata.own': '$agent_name' } }, { $sortByCount: '$session_metadata.own' }], []],
    [[{ $match: { title: 'session_metadata.qeue' } }], []],
  ])('%j', async (pipeline, said) => {
    expect(await warnings(pipeline)).toEqual(said)
  })

  test('is told by the calls in scope', async () => {
    const pipeline = [{ $sortByCount: '$session_metadata.queue' }]
    const { warnings: said } = await ask({ pipeline }, caller({ allowed_agents: ['Nobody'] }))
    expect(said).toEqual(['pipeline[0].$sortByCount: no call has "session_metadata.queue"'])
  })
})

const SCORES = { $map: { input: { $ifNull: ['$scores', []] }, in: { k: '$$this.key', v: '$$this.value' } } }

describe('an answer for which calls left the engine', () => {
  const known = (field: string) => ({ $toDouble: `$session_metadata.${field}` })
  test.each([
    [{ $set: { a: { $multiply: [known('visits'), known('visits')] }, b: { $pow: [known('visits'), 2] } } }],
    [{ $set: { a: { $max: [known('visits'), '$score'] }, b: { $avg: [known('visits'), '$score'] } } }],
    [{ $set: { a: { $sum: { $map: { input: '$session_metadata.list', in: { $toDouble: '$$this.n' } } } } } }],
    [{ $group: { _id: null, a: { $maxN: { input: known('visits'), n: 2 } } } }],
    [{ $match: { $expr: { $lt: [{ $toString: '$session_metadata.a' }, '$session_metadata.b'] } } }],
    [{ $set: { a: { $dateAdd: { startDate: '$created_dt', unit: 'day', amount: 1 } }, b: { $range: [0, 5] } } }],
    [{ $set: { a: { $substrCP: ['$title', 0, 7] } } }],
  ])('stays inside in the form that is advised: %j', async stage => {
    expect((await ask({ pipeline: [stage], explain: true })).plan).toEqual({ engine_stages: 1, evaluated_stages: 0 })
  })

  test.each([
    [
      [{ $set: { day: { $dateFromString: { dateString: '$title', timezone: 'Europe/Berlin', onError: null } } } }],
      'pipeline[0].$set: this stage runs outside the engine, which is slower; $dateFromString, as it stands here, keeps it out; inside runs $dateFromString without timezone, by no format or one of %Y, %m, %b, %B, %d, %H, %M, %S, %L and %z',
    ],
    [
      [{ $sort: { _id: 1 } }, { $densify: { field: 'score', range: { step: 0.3, bounds: [1, 2] } } }, { $limit: 1 }],
      'pipeline[1].$densify: this stage and the one after it run outside the engine, which is slower; inside runs $densify',
    ],
    [
      [{ $setWindowFields: { sortBy: { _id: 1 }, output: { before: { $shift: { output: '$title', by: -1 } } } } }],
      'pipeline[0].$setWindowFields: this stage runs outside the engine, which is slower; $shift, as it stands here, keeps it out; inside runs $shift of what no document lacks, such as {"$ifNull": ["$score", null]}',
    ],
    [
      [{ $set: { a: { $multiply: ['$session_metadata.visits', '$session_metadata.visits'] } } }],
      '$multiply, as it stands here, keeps it out; inside runs $multiply of numbers whose type is known: {"$toDouble": …} makes it so of one of session_metadata',
    ],
    [
      [{ $match: { $expr: { $lt: ['$session_metadata.visits', '$session_metadata.queue'] } } }],
      'inside runs $lt where the type of one side is known: {"$toString": …} or {"$toDouble": …} makes it so',
    ],
    [
      [{ $set: { s: { $arrayToObject: SCORES } } }, { $group: { _id: null, heard: { $avg: '$s.listening' } } }],
      'pipeline[1].$group: this stage runs outside the engine, which is slower; "$s.listening", as it stands here, keeps it out',
    ],
  ])('says what kept them out: %j', async (pipeline, said) => {
    const answer = await ask({ pipeline })
    expect(answer.warnings).toEqual([expect.stringContaining(said)])
    expect((await ask({ pipeline, explain: true })).warnings).toEqual(answer.warnings)
  })
})

describe('an answer', () => {
  test('holds what the pipeline gives over the calls in scope, and how it ran', async () => {
    const pipeline = [
      { $group: { _id: '$agent_name', calls: { $sum: 1 }, score: { $avg: '$score' } } },
      { $sort: { _id: 1 } },
    ]
    const answer = await ask({ pipeline })
    expect(answer).toEqual({
      documents: [
        { _id: 'Ana', calls: 2, score: 1.5 },
        { _id: 'Ben', calls: 3, score: 4 },
      ],
      count: 2,
      truncated: false,
      warnings: [],
      plan: { engine_stages: 2, evaluated_stages: 0 },
      elapsed_ms: expect.any(Number) as number,
    })
    const narrow = await ask({ pipeline }, caller({ allowed_agents: ['Ana'] }))
    expect(narrow.documents).toEqual([{ _id: 'Ana', calls: 2, score: 1.5 }])
    expect(await ask({ pipeline }, caller({ require_mapping: true }))).toMatchObject({ documents: [], count: 0 })
  })

  test('writes dates as ISO strings, keeps nulls, and loses no digit', async () => {
    const pipeline = [
      { $match: { _id: 's1' } },
      {
        $project: {
          created_dt: 1,
          none: null,
          int: { $toInt: 3 },
          whole: { $toDouble: 3 },
          safe: { $toLong: '9007199254740991' },
          big: { $toLong: '9007199254740993' },
          nan: { $literal: { $numberDouble: 'NaN' } },
          inf: [{ $numberDouble: '-Infinity' }],
        },
      },
    ]
    expect(await documents(pipeline)).toEqual([
      {
        _id: 's1',
        created_dt: '2026-03-01T10:00:00.000Z',
        none: null,
        int: 3,
        whole: 3,
        safe: 9_007_199_254_740_991,
        big: '9007199254740993',
        nan: { $numberDouble: 'NaN' },
        inf: [{ $numberDouble: '-Infinity' }],
      },
    ])
  })

  test('says that a field is not known, with the closest name', async () => {
    const { warnings } = await ask({ pipeline: [{ $match: { scores_: 1 } }] })
    expect(warnings).toEqual([expect.stringMatching(/no field "scores_".*did you mean "scores"/)])
  })

  test('without documents says which names no call in scope has', async () => {
    const asked = (agent_name: unknown, who = caller()) =>
      ask({ pipeline: [{ $match: { agent_name } }, { $count: 'n' }] }, who)
    const said = 'pipeline[0].$match.agent_name: no call has this agent_name'
    expect((await asked('ben')).warnings).toEqual([`${said}; the closest is "Ben"`])
    expect((await asked({ $eq: 'Bem' })).warnings).toEqual([`${said}; the closest is "Ben"`])
    expect((await asked('Ben')).warnings).toEqual([])
    expect((await asked('Ben', caller({ allowed_agents: ['Ana'] }))).warnings).toEqual([said])
    const both = [{ $match: { agent_name: 'Ben', score: { $gt: 9 } } }]
    expect((await ask({ pipeline: both })).warnings).toEqual([])
  })

  test('without documents says which values of own fields and keys no call in scope has', async () => {
    const said = async (filter: object, who = caller()) =>
      (await ask({ pipeline: [{ $match: filter }, { $count: 'n' }] }, who)).warnings
    const queue = 'pipeline[0].$match.session_metadata.queue: no call has this value'
    expect(await said({ 'session_metadata.queue': 'North' })).toEqual([`${queue}; the closest is "north"`])
    expect(await said({ 'session_metadata.queue': { $eq: 'zzz' } })).toEqual([queue])
    expect(await said({ 'session_metadata.queue': 'north' })).toEqual([])
    expect(await said({ 'session_metadata.queue': 'north', score: { $gt: 9 } })).toEqual([])
    expect(await said({ 'session_metadata.qeue': 'North' })).toEqual([
      'pipeline[0].$match: no call has "session_metadata.qeue"; did you mean "session_metadata.queue"?',
    ])
    // Nobody's values are told to who hears nobody.
    const deaf = caller({ allowed_agents: ['Nobody'] })
    expect((await said({ 'session_metadata.queue': 'North' }, deaf)).join()).not.toContain('north')
    const heard = caller({}, 'other')
    expect(await said({ 'signals.key': 'greeting_given' }, heard)).toEqual([
      'pipeline[0].$match.signals.key: no call has this value; the closest is "sig.greeting_given"',
    ])
  })

  test('says where it failed and what would be right', async () => {
    const pipeline = [{ $match: {} }, { $project: { x: { $divide: ['$score', { $subtract: ['$score', '$score'] }] } } }]
    await expect(ask({ pipeline })).rejects.toMatchObject({
      code: 'invalid_pipeline',
      message: expect.stringMatching(/^pipeline\[1\]\.\$project\.x\.\$divide: \$divide can not divide by zero; /),
      details: [{ path: 'pipeline[1].$project.x.$divide' }],
    })
  })

  test('is cut at limit, and says so', async () => {
    expect(await ask({ pipeline: [{ $sort: { _id: 1 } }], limit: 2 })).toMatchObject({ count: 2, truncated: true })
    expect(await ask({ pipeline: [], limit: 5 })).toMatchObject({ count: 5, truncated: false })
  })

  test.each([1_000, 2_500, 60_000, 1_048_576])('is never larger than max_bytes (%i)', async max_bytes => {
    const pipeline = [{ $set: { n: { $range: [0, 40] } } }, { $unwind: '$n' }, { $set: { text: 'ü€😀"'.repeat(12) } }]
    const answer = await ask({ pipeline, max_bytes, limit: 1_000 })
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(max_bytes)
    expect(answer.count).toBe(answer.documents?.length)
    expect(answer.truncated).toBe(answer.count !== 200)
    expect(answer.warnings).toHaveLength(answer.truncated === true ? 1 : 0)
  })

  test('refuses a document that does not fit alone, and says what to do', async () => {
    const pipeline = [{ $group: { _id: null, all: { $push: '$$ROOT' } } }]
    await expect(ask({ pipeline, max_bytes: 1_000 })).rejects.toThrow(/max_bytes|larger than 1000 bytes/)
    expect(await ask({ pipeline })).toMatchObject({ count: 1 })
  })
})

describe('explain', () => {
  test('shows what would run with the restriction in it, and runs nothing', async () => {
    const pipeline = [{ $match: { created_dt: { $gte: '2026-03-01' } } }, { $redact: '$$DESCEND' }]
    const answer = await ask({ pipeline, explain: true }, caller({ allowed_agents: ['Ana'] }))
    expect(answer).toEqual({
      pipeline: [
        { $match: { agent_name: { $in: ['Ana'] } } },
        { $match: { created_dt: { $lt: { $date: '2026-03-15T12:00:00.000Z' } } } },
        { $match: { created_dt: { $gte: { $date: '2026-03-01T00:00:00.000Z' } } } },
        { $redact: '$$DESCEND' },
      ],
      warnings: ['pipeline[1].$redact: this stage runs outside the engine, which is slower'],
      plan: { engine_stages: 1, evaluated_stages: 1 },
      elapsed_ms: expect.any(Number) as number,
    })
  })

  test('refuses what would be refused', async () => {
    await expect(ask({ pipeline: [{ $out: 'x' }], explain: true })).rejects.toMatchObject({ code: 'invalid_pipeline' })
  })
})

describe('a pipeline', () => {
  test('may be written as a JSON text', async () => {
    expect(await documents('[{"$count":"n"}]')).toEqual([{ n: 5 }])
    await expect(ask({ pipeline: '{"$count":"n"}' })).rejects.toThrow('pipeline: is a text and no JSON array')
    await expect(ask({ pipeline: '[{"$count":' })).rejects.toThrow('pipeline: is a text and no JSON array')
    await expect(ask({ pipeline: ' '.repeat(70_000) })).rejects.toThrow('pipeline: is longer than 65536 bytes')
    await expect(ask({ pipeline: '\uFEFF[{"$count":"n"}]' })).rejects.toThrow('pipeline: is a text and no JSON array')
    await expect(ask({ pipeline: 'db.calls.find()' })).rejects.toThrow('pipeline: is a text and no JSON array')
    await expect(ask({ pipeline: '"[]"' })).rejects.toThrow('pipeline: is a text and no JSON array')
  })

  test('as a text is bounded as an array is', async () => {
    const nested = `${'['.repeat(32_768)}${']'.repeat(32_768)}`
    const deep = (levels: number) => `[{"$match":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}]`
    for (const text of [nested, deep(40), deep(10_000)]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const asText = await ask({ pipeline: text }).catch((error: unknown) => String(error))
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const asArray = await ask({ pipeline: JSON.parse(text) as unknown }).catch((error: unknown) => String(error))
      expect(asText).toMatch(/nested|deep|level/)
      expect(asText).toBe(asArray)
    }
  })

  test.each([
    ['nothing', {}, 'Argument "pipeline" is required'],
    ['null', { pipeline: null }, 'pipeline: is an array of stages'],
    ['a number', { pipeline: 7 }, 'pipeline: is an array of stages'],
    ['an object', { pipeline: { $count: 'n' } }, 'pipeline: is an array of stages'],
    ['a project', { pipeline: [], project_id: 'other' }, 'Unknown argument "project_id"'],
    ['a limit of nothing', { pipeline: [], limit: 0 }, '"limit" must be between 1 and 1000'],
    ['a limit as a text', { pipeline: [], limit: '5' }, '"limit" must be a number, not "5"'],
    ['too many bytes', { pipeline: [], max_bytes: 2_000_000 }, '"max_bytes" must be between 1000 and 1048576'],
  ])('that is %s is refused by name', async (_what, args, sentence) => {
    await expect(ask(args)).rejects.toThrow(sentence)
  })

  test('can’t name what only our own questions may', async () => {
    expect(await documents([{ $match: { search_text: { $exists: true } } }])).toEqual([])
    expect(await documents([{ $match: { project_id: { $exists: true } } }])).toEqual([])
  })
})

describe('the description', () => {
  test('names every field of the record', () => {
    for (const { name } of callFields) expect(queryInteractions.description).toMatch(new RegExp(`^${name}[ :]`, 'm'))
  })

  test('shows five pipelines', () => {
    expect(workedPipelines).toHaveLength(5)
    for (const { pipeline } of workedPipelines) {
      expect(queryInteractions.description).toContain(JSON.stringify(pipeline))
    }
  })

  test.each(workedPipelines.map(({ question, pipeline }) => [question, pipeline] as const))(
    'says rightly how to ask: %s',
    async (_question, pipeline) => {
      const answer = await ask({ pipeline }, caller({}, 'other'))
      expect(answer).toMatchObject({ warnings: [], plan: { evaluated_stages: 0 } })
      expect(answer.documents?.length).toBeGreaterThan(1)
    },
  )
})

test('a pattern larger than the engine takes is refused in a sentence', async () => {
  const pattern = { $regex: '\\p{L}{1000}.{1000}\\p{L}{1000}' }
  await expect(documents([{ $match: { agent_name: pattern } }])).rejects.toMatchObject({
    code: 'invalid_pipeline',
    message: 'A regular expression is too large; repeat less of it ({n}, \\p{…})',
  })
})
