import { orderBy } from '../compile/order-by.js'
import { bind, sql } from '../compile/sql.js'
import type { StageDefinition } from './stage-definition.js'
import { wholeNumber } from './whole-number.js'

/** Lets the first n documents through. */
export const limit: StageDefinition = {
  name: '$limit',
  doc: {
    form: '{ $limit: <whole number> }',
    meaning: 'Lets the first so many documents through.',
    example: {
      documents: [{ a: 1 }, { a: 2 }, { a: 3 }],
      pipeline: [{ $limit: 2 }],
      result: [{ a: 1 }, { a: 2 }],
    },
  },
  parse: (json, context) => {
    const count = wholeNumber(json, 1, '$limit', context)
    return {
      stage: {
        name: '$limit',
        run: documents => documents.slice(0, count),
        compile: (relation, compile) => {
          const { skipped } = relation
          const rows = skipped?.rows ?? relation
          const offset = skipped === undefined ? sql`` : sql` offset ${bind(BigInt(skipped.count), 'BIGINT')}`
          return compile.step({
            ...rows,
            limited: true,
            tail: sql`${orderBy(rows.order)} limit ${bind(BigInt(count), 'BIGINT')}${offset}`,
          })
        },
        reads: wanted => wanted,
        toJson: () => ({ $limit: count }),
      },
      shape: context.shape,
    }
  },
}
