import { echo } from '../../base/text.js'
import { sql } from '../compile/sql.js'
import type { SqlType } from '../compile/types.js'
import { Refusal } from '../refusal.js'
import type { StageDefinition } from './stage-definition.js'
import { NO_FIELDS } from '../fields-read.js'

const COUNT: SqlType = { kind: 'int', bits: 53, absent: 'never' }

/** One document with the number of documents; none where there were none. */
export const count: StageDefinition = {
  name: '$count',
  doc: {
    form: '{ $count: <field> }',
    meaning: 'One document that holds the number of documents; none where there were none.',
    example: {
      documents: [{ a: 1 }, { a: 2 }],
      pipeline: [{ $count: 'calls' }],
      result: [{ calls: 2 }],
    },
  },
  parse: (json, context) => {
    if (typeof json !== 'string' || json === '' || json.startsWith('$') || json.includes('.') || json === '_id') {
      throw new Refusal(
        context.where,
        `$count takes a field name without "$" and dots other than _id, not ${echo(json)}`,
      )
    }
    return {
      stage: {
        name: '$count',
        run: documents => (documents.length === 0 ? [] : [{ [json]: documents.length }]),
        order: 'free',
        compile: (relation, compile) =>
          compile.step({
            columns: [{ name: json, sql: sql`count(*)`, type: COUNT }],
            from: relation.from,
            order: [],
            tail: sql` having count(*) > 0`,
          }),
        reads: () => NO_FIELDS,
        toJson: () => ({ $count: json }),
      },
      shape: new Map([[json, { kind: 'int' }]]),
    }
  },
}
