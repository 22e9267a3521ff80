import { isObject } from '../../base/is-object.js'
import { echo } from '../../base/text.js'
import { adviseField } from '../advise-field.js'
import type { CompileContext, Stage } from '../tree.js'
import { sortKeySql } from '../compile/order-key.js'
import type { OrderKey, Relation } from '../compile/relation.js'
import { thenBy } from '../compile/total-order.js'
import { readLiteral } from '../extended-json.js'
import { compareValues } from '../order.js'
import { type ParseContext, at } from '../parse-context.js'
import { type FieldPath, parsePath } from '../path.js'
import { Refusal } from '../refusal.js'
import { type Document, type Value, isArray, isDocument, isNumeric, toNumber } from '../value.js'
import type { StageDefinition } from './stage-definition.js'
import { allOf, rootsOf } from '../fields-read.js'

/** A field to sort by. */
export interface SortKey {
  readonly path: FieldPath
  readonly descending: boolean
}

/** Most fields a sort may name, as in MongoDB. */
const MOST_KEYS = 32

/** The keys of a sort specification, in their order. */
export function parseKeys(json: unknown, context: ParseContext): readonly SortKey[] {
  if (!isObject(json) || Object.keys(json).length === 0) {
    throw new Refusal(context.where, 'a sort is an object of at least one field, such as {"score": -1}')
  }
  const entries = Object.entries(json)
  if (entries.length > MOST_KEYS) throw new Refusal(context.where, `a sort takes at most ${MOST_KEYS} fields`)
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
  return isDocument(value) && Object.hasOwn(value, part) ? keyValues(value[part], path, step + 1) : [undefined]
}

/** An empty array sorts below null (rule "arrays in a sort"); there is no such value, so it has a mark of its own. */
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

/** $sort from its parsed keys; $sortByCount makes its stage with this too. */
export function sortStage(keys: readonly SortKey[]): Stage {
  return {
    name: '$sort',
    run: documents => sortDocuments(documents, keys),
    compile: (relation, compile) => {
      const order = orderKeys(keys, relation, compile)
      return order && compile.step({ ...relation, order: thenBy(order, relation.order) })
    },
    reads: wanted => allOf(wanted, rootsOf(keys.map(({ path }) => path))),
    toJson: () => ({ $sort: Object.fromEntries(keys.map(key => [key.path.join('.'), key.descending ? -1 : 1])) }),
  }
}

/** How two documents stand by the keys. */
export function compareBy(a: Document, b: Document, keys: readonly SortKey[]): number {
  for (const key of keys) {
    const order = compareKeys(keyOf(a, key), keyOf(b, key))
    if (order !== 0) return key.descending ? -order : order
  }
  return 0
}

/** The documents in the order of the keys; those that are equal by all keys stay in the order they came. */
export function sortDocuments(documents: readonly Document[], keys: readonly SortKey[]): readonly Document[] {
  return documents
    .map(document => ({ document, values: keys.map(key => keyOf(document, key)) }))
    .toSorted((a, b) => {
      for (const [i, key] of keys.entries()) {
        const order = compareKeys(a.values[i], b.values[i])
        if (order !== 0) return key.descending ? -order : order
      }
      return 0
    })
    .map(({ document }) => document)
}

/** The order as the engine's keys, or `undefined` where it would not be exact. */
export function orderKeys(
  keys: readonly SortKey[],
  relation: Relation,
  context: CompileContext,
): readonly OrderKey[] | undefined {
  const order: OrderKey[] = []
  for (const { path, descending } of keys) {
    const one = sortKeySql(relation.columns, path, descending)
    if (one === undefined) return undefined
    if (one === 'constant') continue
    const { keys: found, inexact } = one
    const [first, ...rest] =
      inexact === undefined ? found : [context.exactUnless(inexact, found[0]!), ...found.slice(1)]
    order.push(...[first!, ...rest].map(key => ({ sql: key, descending })))
  }
  return order
}

/** Orders the documents; missing and null come first ascending and last descending. */
export const sort: StageDefinition = {
  name: '$sort',
  doc: {
    form: '{ $sort: { <field>: 1 | -1, … } }',
    meaning:
      'Orders the documents by the fields in turn, ascending (1) or descending (-1). Missing and null come first ascending. An array counts by its least element ascending and its greatest descending. What is equal in all of them stays in the order it came.',
    example: {
      documents: [{ a: 2 }, { a: 1 }, {}],
      pipeline: [{ $sort: { a: -1 } }],
      result: [{ a: 2 }, { a: 1 }, {}],
    },
  },
  parse: (json, context) => {
    const keys = parseKeys(json, context)
    for (const { path } of keys) adviseField(path, context)
    return { stage: sortStage(keys), shape: context.shape }
  },
}
