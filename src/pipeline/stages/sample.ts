import { orderBy } from '../compile/order-by.js'
import { bind, sql } from '../compile/sql.js'
import type { Document } from '../value.js'
import { at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { readOptions } from './read-options.js'
import type { StageDefinition } from './stage-definition.js'
import { wholeNumber } from './whole-number.js'

/** So many documents, each as likely as any other, in random order. */
function drawn(documents: readonly Document[], size: number): readonly Document[] {
  const pool = [...documents]
  const count = Math.min(size, pool.length)
  for (let i = 0; i < count; i += 1) {
    const j = i + Math.floor(Math.random() * (pool.length - i))
    const picked = pool[j]!
    pool[j] = pool[i]!
    pool[i] = picked
  }
  return pool.slice(0, count)
}

/** Draws documents at random. */
export const sample: StageDefinition = {
  name: '$sample',
  doc: {
    form: '{ $sample: { size: <whole number> } }',
    meaning: 'Draws so many documents at random, or all when there are fewer. No document is drawn twice.',
    example: {
      documents: [{ a: 1 }, { a: 2 }, { a: 3 }],
      pipeline: [{ $sample: { size: 2 } }, { $count: 'drawn' }],
      result: [{ drawn: 2 }],
    },
  },
  parse: (json, context) => {
    const { size } = readOptions(json, '$sample', ['size'], context)
    if (size === undefined) throw new Refusal(context.where, '$sample needs size')
    const count = wholeNumber(size, 1, 'size', at(context, 'size'))
    return {
      stage: {
        name: '$sample',
        run: documents => drawn(documents, count),
        compile: (relation, compile) => {
          // Materialised, or rows read twice would be drawn twice.
          const order = [{ sql: sql`random()`, descending: false, identifies: true as const }]
          return compile.step({
            ...relation,
            order,
            materialized: 'always',
            tail: sql`${orderBy(order)} limit ${bind(BigInt(count), 'BIGINT')}`,
          })
        },
        reads: wanted => wanted,
        toJson: () => ({ $sample: { size: count } }),
      },
      shape: context.shape,
    }
  },
}
