import { describe, expect, test } from 'vitest'
import { Refusal, callSchema, runPipeline } from '../../src/pipeline/library.js'

const at = new Date('2026-03-01T10:00:00Z')

describe('runPipeline', () => {
  test('gives plain documents for plain documents', async () => {
    const documents = [
      { _id: 1, at, n: 2, big: 9_007_199_254_740_993n, none: null, absent: undefined, list: [1, { a: 'x' }] },
    ]
    const found = await runPipeline([{ $set: { half: { $divide: ['$n', 2] }, one: { $toLong: 1 } } }], documents)
    expect(found).toEqual([
      { _id: 1, at, n: 2, big: 9_007_199_254_740_993n, none: null, list: [1, { a: 'x' }], half: 1, one: 1 },
    ])
    expect(found[0]).not.toHaveProperty('absent')
  })

  test('leaves what it was given as it was', async () => {
    const document = { at: new Date(at), list: [{ a: 1 }], inner: { b: new Date(at) } }
    const before = structuredClone(document)
    const pipeline = [{ $set: { 'list.a': 2, 'inner.c': 3 } }, { $unset: 'at' }]
    const asked = structuredClone(pipeline)
    Object.freeze(document)
    const [found] = await runPipeline(pipeline, [document])
    expect(found).toEqual({ list: [{ a: 2 }], inner: { b: at, c: 3 } })
    ;(found as { inner: { b: Date } }).inner.b.setFullYear(1999)
    expect(document).toEqual(before)
    expect(pipeline).toEqual(asked)
  })

  test('takes any iterable, and more documents than a query of the service gives back', async () => {
    function* many() {
      for (let n = 0; n < 5_000; n += 1) yield { n }
    }
    expect(await runPipeline([], many())).toHaveLength(5_000)
    expect(await runPipeline([{ $count: 'n' }], new Set([{ a: 1 }, { a: 2 }]))).toEqual([{ n: 2 }])
    expect(await runPipeline([{ $count: 'n' }], [])).toEqual([])
  })

  test('reads extended JSON in both', async () => {
    const documents = [{ at: { $date: '2026-03-01T10:00:00Z' }, n: { $numberLong: '5' } }]
    const pipeline = [{ $match: { at: { $gte: { $date: '2026-03-01' } } } }]
    expect(await runPipeline(pipeline, documents)).toEqual([{ at, n: 5 }])
  })

  test('makes nothing of anything without a schema, and dates with one', async () => {
    const documents = [{ created_dt: '2026-03-01T10:00:00Z', evaluation: { evaluated_at: '2026-03-02T00:00:00Z' } }]
    const pipeline = [
      { $project: { _id: 0, type: { $type: '$created_dt' }, inner: { $type: '$evaluation.evaluated_at' } } },
    ]
    expect(await runPipeline(pipeline, documents)).toEqual([{ type: 'string', inner: 'string' }])
    expect(await runPipeline(pipeline, documents, { schema: callSchema })).toEqual([{ type: 'date', inner: 'date' }])
    const since = [{ $match: { created_dt: { $gte: '2026-03-01' } } }, { $count: 'n' }]
    expect(await runPipeline(since, documents, { schema: callSchema })).toEqual([{ n: 1 }])
  })

  test('advises about unknown fields with a schema only', async () => {
    const heard: string[] = []
    const onWarning = (warning: string) => heard.push(warning)
    await runPipeline([{ $match: { scroe: 1 } }], [], { onWarning })
    expect(heard).toEqual([])
    await runPipeline([{ $match: { scroe: 1 } }], [], { onWarning, schema: callSchema })
    expect(heard).toEqual([expect.stringContaining('did you mean "score"')])
  })

  test('has one now', async () => {
    const now = new Date('2026-01-01T00:00:00Z')
    expect(await runPipeline([{ $set: { now: '$$NOW' } }], [{}], { now })).toEqual([{ now }])
  })
})

describe('the guard', () => {
  test('is the service’s', async () => {
    const refused = runPipeline([{ $group: { _id: null, x: { $fuction: 1 } } }], [])
    await expect(refused).rejects.toBeInstanceOf(Refusal)
    await expect(refused).rejects.toMatchObject({ code: 'invalid_pipeline', path: 'pipeline[0].$group.x.$fuction' })
    await expect(runPipeline({}, [])).rejects.toThrow('is an array of stages')
  })

  test('has limits that can be set', async () => {
    const stages = Array.from({ length: 51 }, () => ({ $skip: 0 }))
    await expect(runPipeline(stages, [])).rejects.toThrow('has 51 stages')
    expect(await runPipeline(stages, [{ a: 1 }], { limits: { stages: 60 } })).toEqual([{ a: 1 }])
  })

  test('ends a pipeline at its deadline, wherever it is', async () => {
    const input = { $range: [0, 1_000_000] }
    const endless = { $map: { input, in: { $reduce: { input, initialValue: 0, in: { $add: ['$$value', 1] } } } } }
    // Without one it would go on for hours.
    await expect(runPipeline([{ $set: { x: endless } }], [{}], { limits: { deadlineMs: 200 } })).rejects.toMatchObject({
      code: 'deadline_exceeded',
      message:
        'The pipeline did not finish within its limit of 0.2 s; fewer days, or a filter at the beginning, leave less to read',
    })
    expect(await runPipeline([{ $count: 'n' }], [{}])).toEqual([{ n: 1 }])
  })

  test.each<[string, unknown, string]>([
    ['a number', 5, 'documents[0] is no document'],
    ['null', null, 'documents[0] is no document'],
    ['an array', [], 'documents[0] is no document'],
    ['a function in it', { a: { b: () => 1 } }, 'documents[0].a.b is a function'],
    ['a symbol in it', { a: [Symbol('x')] }, 'documents[0].a[0] is a symbol'],
    ['a Map in it', { a: new Map() }, 'documents[0].a is a Map'],
    ['no valid date in it', { a: new Date(NaN) }, 'documents[0].a is no valid date'],
    ['unreadable extended JSON in it', { a: { $date: 'x' } }, 'documents[0].a: $date can\'t read "x"'],
  ])('refuses a document that is or has %s, with its place', async (_what, document, sentence) => {
    await expect(runPipeline([], [document as object])).rejects.toThrow(sentence)
  })

  test('refuses a document nested without end', async () => {
    const round: Record<string, unknown> = {}
    round['round'] = round
    await expect(runPipeline([], [round])).rejects.toThrow('nested deeper than 100 levels')
  })

  test('can’t be led to pollute', async () => {
    const document = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}') as object
    const [found] = await runPipeline([{ $set: { a: '$constructor_' } }], [document])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(Object.keys(found!)).toEqual(['__proto__', 'constructor'])
    await expect(runPipeline([{ $set: { 'a.__proto__.b': 1 } }], [{}])).rejects.toThrow('not allowed')
  })
})
