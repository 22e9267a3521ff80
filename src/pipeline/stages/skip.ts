import { orderBy } from '../compile/order-by.js'
import { bind, sql } from '../compile/sql.js'
import type { StageDefinition } from './stage-definition.js'
import { wholeNumber } from './whole-number.js'

/** Leaves the first n documents out. */
export const skip: StageDefinition = {
  name: '$skip',
  doc: {
    form: '{ $skip: <whole number> }',
    meaning: 'Leaves the first so many documents out.',
    example: {
      documents: [{ a: 1 }, { a: 2 }, { a: 3 }],
      pipeline: [{ $skip: 2 }],
      result: [{ a: 3 }],
    },
  },
  parse: (json, context) => {
    const count = wholeNumber(json, 0, '$skip', context)
    return {
      stage: {
        name: '$skip',
        run: documents => documents.slice(count),
        compile: (relation, compile) => ({
          ...compile.step({
            ...relation,
            tail: sql`${orderBy(relation.order)} offset ${bind(BigInt(count), 'BIGINT')}`,
          }),
          skipped: { rows: relation, count },
        }),
        reads: wanted => wanted,
        toJson: () => ({ $skip: count }),
      },
      shape: context.shape,
    }
  },
}
