import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/base/problem.js'
import { failedWhere } from '../../src/pipeline/failed-where.js'
import { Refusal, runPipeline } from '../../src/pipeline/library.js'

const said = async (pipeline: object[], document: object = { n: 0, t: 'x', d: 1.5 }) =>
  await runPipeline(pipeline, [document]).then(
    () => 'nothing failed',
    (error: unknown) => (error as Problem).message,
  )

describe('what fails while it runs says where it stands and what would be right', () => {
  test.each([
    [
      [{ $set: { x: { $divide: [1, '$n'] } } }],
      'pipeline[0].$set.x.$divide: $divide can not divide by zero; {"$cond": [{"$eq": [<divisor>, 0]}, null, {"$divide": …}]} gives null there',
    ],
    [
      [{ $match: { t: 'x' } }, { $group: { _id: null, a: { $sum: { $toInt: '$t' } } } }],
      'pipeline[1].$group.a.$sum.$toInt: $toInt can not read this string as an int; {"$convert": {"input": …, "to": "int", "onError": null}} gives null there',
    ],
    [
      [{ $project: { x: { $size: '$none' } } }],
      'pipeline[0].$project.x.$size: $size takes an array, not missing; {"$ifNull": [<it>, []]} stands in for what is missing',
    ],
    [
      [{ $project: { x: { $concat: ['a', '$d'] } } }],
      'pipeline[0].$project.x.$concat: $concat takes strings, not double; {"$toString": <it>} makes one of it',
    ],
    [
      [{ $project: { x: { $year: '$t' } } }],
      'pipeline[0].$project.x.$year: $year takes dates, not string; {"$toDate": <it>} reads one',
    ],
    [
      [{ $replaceRoot: { newRoot: '$none' } }],
      'pipeline[0].$replaceRoot: $replaceRoot needs a document as the new root, not missing; {"$ifNull": [<it>, {}]} stands in for what is missing',
    ],
    [
      [{ $bucket: { groupBy: '$n', boundaries: [1, 2] } }],
      'pipeline[0].$bucket: $bucket met a value outside its boundaries; give a default to take such values',
    ],
  ])('%j', async (pipeline, sentence) => {
    expect(await said(pipeline)).toBe(sentence)
  })

  test('names each place where it may be, but conditions and literals', async () => {
    const x = { $size: '$none' }
    const pipeline = [
      { $match: { n: { $not: { $size: 3 } }, $expr: { $gte: [x, 1] } } },
      { $set: { a: { $literal: x }, b: [x], c: x, d: x } },
    ]
    expect(await said(pipeline)).toMatch(
      /^pipeline\[0\]\.\$match\.\$expr\.\$gte\[0\]\.\$size or pipeline\[1\]\.\$set\.b\[0\]\.\$size or pipeline\[1\]\.\$set\.c\.\$size …: \$size takes/,
    )
  })

  test('leaves every other error as it is', () => {
    const refusal = new Refusal('pipeline[0]', 'is none')
    const busy = new Problem('busy', '$size takes an array')
    expect(failedWhere(refusal, [])).toBe(refusal)
    expect(failedWhere(busy, [])).toBe(busy)
    expect(failedWhere('x', [])).toBe('x')
    expect(failedWhere(new Problem('invalid_pipeline', 'The pipeline is odd'), [])).toMatchObject({ details: [] })
  })
})
