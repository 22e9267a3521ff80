import { isObject } from '../../base/is-object.js'
import type { FieldType } from '../../calls/field-type.js'

/** Names of what a server answers as MongoDB does, each behind what it is: `match:$eq`, `expression:$add`, `group:$sum`, `stage:$unwind`. */
export type Names = ReadonlySet<string>

/** What is known of the fields of documents. */
export type Fields = ReadonlyMap<string, FieldType | undefined>

/** It has to be evaluated here. */
export class KeptOut extends Error {
  readonly operator: string | undefined

  /** @param operator what does not run on the server; absent = the stage as it stands */
  constructor(operator?: string) {
    super(`${operator ?? 'A stage'} does not run on the server`)
    this.operator = operator
  }
}

/** What the server is sent, and the type of what it makes of it; undefined where that may be an array, or is not known. */
export interface Sent {
  readonly json: unknown
  readonly type: FieldType | undefined
}

export interface Sending {
  readonly fields: Fields
  readonly answered: Names
  /** The one instant of the request, for `$$NOW`: the server's clock is another's. */
  readonly now: Date
}

/** One value of any type: what is asked of types is only whether servers agree on the order of values. */
export const ONE_VALUE: FieldType = { kind: 'string' }
const WHOLE: FieldType = { kind: 'int' }

/** Extended JSON of one value. */
const LITERALS: ReadonlySet<string> = new Set(['$date', '$numberLong', '$numberInt', '$numberDouble'])

/** Operators that may give an array or a document where they are given some; all others that are asked of servers give one value. */
const PASSED_ON: Readonly<Record<string, (args: readonly Sent[]) => readonly Sent[]>> = {
  $cond: args => args.slice(1),
  $ifNull: args => args,
}
const MANY_VALUES: ReadonlySet<string> = new Set(['$switch', '$filter', '$slice', '$concatArrays'])

/** Whether values of a type have an order that servers agree on. */
export function isOrdered(type: FieldType | undefined): boolean {
  if (type === undefined || type.kind === 'list' || type.kind === 'open') return false
  return type.kind !== 'struct' || [...type.fields.values()].every(isOrdered)
}

/** The type at a path. A field within a document may be missing, which no type tells. */
export function typeAt(fields: Fields, path: readonly string[]): FieldType | undefined {
  const [root = '', ...steps] = path
  let type = fields.get(root)
  for (const step of steps) type = type?.kind === 'struct' ? type.fields.get(step) : undefined
  return type
}

/** The fields of a path. @throws KeptOut for a number, which is an index as well as a name */
export function pathOf(text: string): readonly string[] {
  const path = text.split('.')
  if (path.some(name => /^\d+$/.test(name))) throw new KeptOut()
  return path
}

/**
 * An expression as it is sent.
 * @param json as `expressionToJson` writes it
 * @throws KeptOut
 */
export function sendExpression(json: unknown, sending: Sending): Sent {
  if (typeof json === 'string') return json.startsWith('$') ? sendField(json, sending) : { json, type: ONE_VALUE }
  if (typeof json === 'number' && !Number.isFinite(json)) throw new KeptOut()
  if (typeof json === 'number') return { json, type: Number.isInteger(json) ? WHOLE : ONE_VALUE }
  if (json === null || typeof json === 'boolean') return { json, type: ONE_VALUE }
  if (Array.isArray(json)) return { json: json.map(item => sendExpression(item, sending).json), type: undefined }
  if (!isObject(json)) throw new KeptOut()
  const [name = ''] = Object.keys(json)
  if (name.startsWith('$')) return sendOperator(name, json[name], sending)
  const fields = Object.entries(json).map(([key, value]) => [key, sendExpression(value, sending)] as const)
  return {
    json: Object.fromEntries(fields.map(([key, sent]) => [key, sent.json])),
    type: { kind: 'struct', fields: new Map(fields.flatMap(([key, { type }]) => (type ? [[key, type]] : []))) },
  }
}

function sendField(json: string, { fields, now }: Sending): Sent {
  if (!json.startsWith('$$')) return { json, type: typeAt(fields, pathOf(json.slice(1))) }
  const [name = ''] = pathOf(json.slice(2))
  if (name === 'NOW') return { json: { $date: now.toISOString() }, type: ONE_VALUE }
  // Variables that operators bind are in small letters.
  if (name === name.toUpperCase()) throw new KeptOut(`$$${name}`)
  return { json, type: undefined }
}

function sendOperator(name: string, given: unknown, sending: Sending): Sent {
  if (LITERALS.has(name)) return { json: { [name]: given }, type: ONE_VALUE }
  if (name === '$literal') {
    return { json: { $literal: given }, type: typeof given === 'object' && given !== null ? undefined : ONE_VALUE }
  }
  if (!sending.answered.has(`expression:${name}`)) throw new KeptOut(name)
  const args = Array.isArray(given) ? given.map(one => sendExpression(one, sending)) : [sendExpression(given, sending)]
  const json = { [name]: Array.isArray(given) ? args.map(one => one.json) : args[0]?.json }
  if (MANY_VALUES.has(name)) return { json, type: undefined }
  const passed = Array.isArray(given) ? PASSED_ON[name]?.(args) : undefined
  if (PASSED_ON[name] !== undefined && passed === undefined) return { json, type: undefined }
  return { json, type: passed === undefined || passed.every(one => isOrdered(one.type)) ? ONE_VALUE : undefined }
}

/** Whether an operand of $sum is a whole number wherever it is a number: those are added up alike everywhere. */
export const isWhole = ({ type }: Sent): boolean => type?.kind === 'int'
