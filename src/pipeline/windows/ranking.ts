import { isObject } from '../../base/is-object.js'
import type { Fragment } from '../compile/sql.js'
import type { SqlType } from '../compile/types.js'
import type { OperatorDoc } from '../operator-doc.js'
import { Refusal } from '../refusal.js'
import type { Partition, SqlWindow, WindowFunction } from './window-function.js'

const PLACE: SqlType = { kind: 'int', bits: 53, absent: 'never' }

interface Ranking {
  readonly name: string
  readonly doc: OperatorDoc
  readonly sort: WindowFunction['sort']
  readonly run: (partition: Partition) => readonly number[]
  readonly sql: (window: SqlWindow) => Fragment | undefined
}

/** A function that numbers the documents of a partition; it takes no argument and no window. */
export function ranking({ name, doc, sort, run, sql }: Ranking): WindowFunction {
  return {
    name,
    doc,
    window: 'none',
    sort,
    parse: (argument, context) => {
      if (!isObject(argument) || Object.keys(argument).length > 0)
        throw new Refusal(context.where, `${name} takes an empty object`)
      return {
        operands: [],
        run,
        sql: window => {
          const place = sql(window)
          return place && { sql: place, type: PLACE }
        },
        toJson: () => ({ [name]: {} }),
      }
    },
  }
}
