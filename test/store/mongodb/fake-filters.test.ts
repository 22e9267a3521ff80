import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Document, Value } from '../../../src/pipeline/index.js'
import { toBson } from '../../../src/store/mongodb/values.js'
import { Collection, keyOf, match, run } from '../../support/mongodb/documents.js'

// The fake finds by an index of texts, and compares plain values itself. What it finds is what the pipeline's own $match finds, in the order
// in which documents came.

// Mostly one text, so that several documents have it when they are changed.
const plain = fc.constantFrom<Value>('a', 'a', 'a', 'b', 1, 2, true, new Date(0), new Date(1))
const value = fc.oneof(
  { weight: 6, arbitrary: plain },
  fc.constantFrom<Value>(null, 2n, ['a'], ['a', 1], { b: 'a' }, 1.5, ''),
)
const name = fc.constantFrom('a', 'b', 'c')
const document = fc.dictionary(name, value, { noNullPrototype: true })

const comparison = fc
  .tuple(fc.constantFrom('$eq', '$lt', '$lte', '$gt', '$gte', '$ne'), value)
  .map(([how, wanted]) => ({ [how]: wanted }))
const condition = fc.oneof(
  plain,
  comparison,
  fc.array(plain, { maxLength: 3 }).map($in => ({ $in })),
)
const fields = fc.dictionary(name, condition, { minKeys: 1, noNullPrototype: true })
const filter = fc.oneof(
  fields,
  fc.array(fields, { minLength: 1, maxLength: 3 }).map($and => ({ $and })),
  fc.array(fields, { minLength: 1, maxLength: 2 }).map($or => ({ $or })),
)

test('what a filter finds is what $match finds', () => {
  fc.assert(
    fc.property(
      fc.array(document, { minLength: 1, maxLength: 12 }),
      fc.array(fc.tuple(fc.nat(11), document), { maxLength: 4 }),
      filter,
      (documents, changes, asked) => {
        const collection = new Collection()
        const all = documents.map((one, _id): Document => ({ _id, ...one }))
        const wanted = toBson(asked) as object
        for (const one of all) collection.set(keyOf(one), one)
        match(collection, wanted)
        for (const [at, one] of changes) {
          if (all[at] === undefined) continue
          all[at] = { _id: at, ...one }
          collection.set(keyOf(all[at]), all[at])
        }
        expect(match(collection, wanted)).toEqual(run([{ $match: wanted }], all))
      },
    ),
    { numRuns: 2_000 },
  )
})
