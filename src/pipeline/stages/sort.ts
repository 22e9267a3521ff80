import { echo } from '../../base/text.js'
import type { CompileContext } from '../compile/compile-context.js'
import type { OrderKey } from '../compile/relation.js'
import { readLiteral } from '../extended-json.js'
import { compareValues } from '../order.js'
import { type ParseContext, at } from '../parse-context.js'
import { type FieldPath, parsePath } from '../path.js'
import { Refusal } from '../refusal.js'
import { type Document, type Value, isArray, isDocument, isNumeric, toNumber } from '../value.js'
import type { StageDefinition } from './stage-definition.js'

interface SortKey {
  readonly path: FieldPath
  readonly descending: boolean
}

/** Most fields a sort may name, as in MongoDB. */
const KEYS = 32

function parseKeys(json: unknown, context: ParseContext): readonly SortKey[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json) || Object.keys(json).length === 0) {
    throw new Refusal(context.where, '$sort takes an object of at least one field, such as {"score": -1}')
  }
  const entries = Object.entries(json)
  if (entries.length > KEYS) throw new Refusal(context.where, `$sort takes at most ${KEYS} fields`)
  return entries.map(([name, direction]) => {
    const inner = at(context, name)
    const value = readLiteral(direction, inner.where)
    const sign = isNumeric(value) ? toNumber(value) : 0
    if (sign !== 1 && sign !== -1) throw new Refusal(inner.where, `the direction is 1 or -1, not ${echo(direction)}`)
    return { path: parsePath(name, inner.where), descending: sign === -1 }
  })
}

/** Every value a sort key finds: arrays are walked, an empty one counts as below null. */
function keyValues(value: Value | undefined, path: FieldPath, step: number): readonly (Value | undefined)[] {
  const part = path[step]
  if (isArray(value)) {
    if (part === undefined) return value.length === 0 ? [EMPTY] : value
    const found = value.flatMap(element => (isDocument(element) ? keyValues(element, path, step) : [undefined]))
    return found.length === 0 ? [undefined] : found
  }
  if (part === undefined) return [value]
  return isDocument(value) ? keyValues(value[part], path, step + 1) : [undefined]
}

/** An empty array sorts below null (pipeline-semantics.md, 15); there is no such value, so it has a mark of its own. */
const EMPTY: Value = Object.freeze({})

function compareKeys(a: Value | undefined, b: Value | undefined): number {
  if (a === EMPTY || b === EMPTY) return a === b ? 0 : a === EMPTY ? -1 : 1
  return compareValues(a, b)
}

/** The value a document is sorted by: the smallest of an array ascending, the largest descending. */
function keyOf(document: Document, key: SortKey): Value | undefined {
  return keyValues(document, key.path, 0).reduce((best, value) => {
    const order = compareKeys(value, best)
    return (key.descending ? order > 0 : order < 0) ? value : best
  })
}

function orderKey(key: SortKey, context: CompileContext): OrderKey | 'constant' | undefined {
  const compiled = context.expression({ kind: 'field', path: key.path })
  if (compiled === undefined) return undefined
  const { kind } = compiled.type
  if (kind === 'nothing') return 'constant'
  // Lists sort by an element, structs field by field, open values by type: the evaluator's work.
  if (kind === 'list' || kind === 'struct' || kind === 'open') return undefined
  if (kind === 'double' && !compiled.type.finite) return undefined
  return { sql: compiled.sql, descending: key.descending }
}

/** Orders the documents; missing and null come first ascending and last descending. */
export const sort: StageDefinition = {
  name: '$sort',
  parse: (json, context) => {
    const keys = parseKeys(json, context)
    return {
      stage: {
        name: '$sort',
        run: documents =>
          documents
            .map(document => ({ document, values: keys.map(key => keyOf(document, key)) }))
            .toSorted((a, b) => {
              for (const [i, key] of keys.entries()) {
                const order = compareKeys(a.values[i], b.values[i])
                if (order !== 0) return key.descending ? -order : order
              }
              return 0
            })
            .map(({ document }) => document),
        compile: (relation, compile) => {
          const order: OrderKey[] = []
          for (const key of keys) {
            const one = orderKey(key, compile)
            if (one === undefined) return undefined
            if (one !== 'constant') order.push(one)
          }
          return compile.step({ ...relation, order })
        },
        toJson: () => ({ $sort: Object.fromEntries(keys.map(key => [key.path.join('.'), key.descending ? -1 : 1])) }),
      },
      shape: context.shape,
    }
  },
}
