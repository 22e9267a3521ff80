import { orderBy } from '../compile/order-by.js'
import { failing } from '../compile/fails.js'
import type { OrderKey } from '../compile/relation.js'
import { sql } from '../compile/sql.js'
import { thenBy } from '../compile/total-order.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { argumentFields } from '../expressions/argument-fields.js'
import { eitherType, listType } from '../given-type.js'
import { at } from '../parse-context.js'
import { compareBy, orderKeys, parseKeys } from '../stages/sort.js'
import type { Document, Value } from '../value.js'
import { type AccumulatorDoc, accumulatorDoc } from './accumulator-doc.js'
import type { Accumulator } from './accumulator.js'
import { countArgument } from './count-argument.js'
import { firstBy } from './first-by.js'

interface Entry {
  readonly root: Document
  readonly value: Value
}

/** Where the documents of the bottom begin: the same order the other way round. */
const reversed = (keys: readonly OrderKey[]) => keys.map(key => ({ ...key, descending: !key.descending }))

/** $top, $topN, $bottom and $bottomN: outputs of the documents that come first or last in an order of their own. */
export function byOrder(name: '$top' | '$topN' | '$bottom' | '$bottomN', doc: AccumulatorDoc): Accumulator {
  const single = name === '$top' || name === '$bottom'
  const bottom = name === '$bottom' || name === '$bottomN'
  return {
    name,
    doc: accumulatorDoc(doc),
    parse(argument, context, parse) {
      const required = single ? (['sortBy', 'output'] as const) : (['n', 'sortBy', 'output'] as const)
      const fields = argumentFields<'n' | 'sortBy' | 'output'>(name, argument, required, [], context)
      const keys = parseKeys(fields.sortBy, at(context, 'sortBy'))
      const output = parse(fields.output, at(context, 'output'))
      const count = single ? undefined : countArgument(fields.n, name, at(context, 'n'), parse)
      const sorted = (entries: readonly Entry[]) => entries.toSorted((a, b) => compareBy(a.root, b.root, keys))
      const cut = (entries: readonly Entry[], n: number) =>
        bottom ? sorted(entries).slice(-n) : sorted(entries).slice(0, n)
      return {
        operands: [output, ...keys.map(({ path }) => ({ kind: 'field', path }) as const)],
        gives: typeOf => (single ? eitherType([output], typeOf) : listType(output, typeOf)),
        start: key => {
          const n = count?.of(key) ?? 1
          let entries: Entry[] = []
          return {
            add: environment => {
              entries.push({ root: environment.root, value: evaluateExpression(output, environment) ?? null })
              if (entries.length >= 2 * n + 16) entries = cut(entries, n)
            },
            result: () => {
              const values = cut(entries, n).map(({ value }) => value)
              return single ? (values[0] ?? null) : values
            },
          }
        },
        sql: compile => {
          const compiled = compile.expression(output)
          const own = orderKeys(keys, compile.relation, compile)
          if (compiled === undefined || own === undefined || compiled.isInt !== undefined) return undefined
          const there = thenBy(own, compile.relation.order)
          const order = bottom ? reversed(there) : there
          const { type } = compiled
          const n = count === undefined ? 1 : count.constant
          if (type.kind === 'nothing' || n === undefined) return undefined
          const of = { ...type, absent: type.absent === 'never' ? 'never' : 'null' } as const
          const list = firstBy(compiled, n, order)
          const best = bottom ? sql`list_reverse(${list})` : list
          const result = single
            ? { sql: sql`first(${compiled.sql}${orderBy(order)})`, type: of }
            : { sql: best, type: { kind: 'list', of, absent: 'never' } as const }
          return failing(result, compiled.fails)
        },
        toJson: () => ({
          [name]: {
            ...(count === undefined ? {} : { n: count.toJson() }),
            sortBy: Object.fromEntries(keys.map(key => [key.path.join('.'), key.descending ? -1 : 1])),
            output: expressionToJson(output),
          },
        }),
      }
    },
  }
}
