import { mapFields, putField } from '../../base/fields.js'
import { createHash } from 'node:crypto'
import { type Document as BsonDocument, Double, Int32, Long } from 'bson'
import { isObject } from '../../base/is-object.js'
import { foldedText } from '../../base/text.js'
import { Problem } from '../../base/problem.js'
import { callFields, type Field } from '../../calls/call-fields.js'
import type { FieldType } from '../../calls/field-type.js'
import type { PreparedCall } from '../store.js'

/**
 * A call as MongoDB keeps it, in two collections: `calls` holds all of it, `facts` what is left without its texts. Numbers are
 * of the types that the record's schema says, dates are dates, and a field that is not there is not there.
 */
export type CallDocument = Readonly<Record<string, unknown>>

/** Fields that our own pipelines may read and nobody else sees, and what of them is a text. */
export const derivedNames = [
  { name: 'search_text', holdsText: true },
  { name: 'duration_s', holdsText: false },
  { name: 'signal_count', holdsText: false },
  { name: 'present_signals', holdsText: false },
  { name: 'guidance_keys', holdsText: false },
  { name: 'write_number', holdsText: false },
  { name: 'id_hash', holdsText: false },
] as const

/** Parts of the calls that id_hash tells apart. */
const ID_PARTS = 4_096n

/** Where a call stands in the order of writing, and by which write. */
export interface Written {
  readonly place: bigint
  readonly write: number
}

/** The id of a call among all projects'; no project's has a colon in it. */
export const idOf = (projectId: string, sessionId: string): string => `${projectId}:${sessionId}`

/** Calls of a project by their ids; what stands in for one that is gone (see `CallWriter`) has no project. */
export const callsOf = (projectId: string, sessionIds: readonly string[]) => ({
  _id: { $in: sessionIds.map(id => idOf(projectId, id)) },
  project_id: projectId,
})

/** A stable hash of a session id, 64 bits: the one that the embedded store has. */
export const sessionKey = (sessionId: string): bigint => createHash('md5').update(sessionId).digest().readBigUInt64LE(8)

/** In the order of their UTF-8 bytes, as both stores sort texts. */
export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/**
 * Which of BSON's types a stored value has, if it is no plain one. The driver has classes of its own, which are others than those
 * imported here.
 */
const typeOf = (value: unknown): unknown => (isObject(value) ? value['_bsontype'] : undefined)

/** A stored whole number, of whatever size. */
export const longOf = (value: unknown): bigint => BigInt((value as { toString(): string }).toString())

/** A JSON value in the types of BSON; undefined for null where the schema says what it is: it is unknown. */
function typed(value: unknown, type: FieldType): unknown {
  if (type.kind === 'open') return open(value)
  if (value === null || value === undefined) return undefined
  switch (type.kind) {
    case 'date':
      return new Date(value as string)
    case 'double':
      return new Double(Number(value))
    case 'int':
      return new Int32(Number(value))
    case 'list':
      return (value as readonly unknown[]).map(item => typed(item, type.of) ?? null)
    case 'struct':
      return fieldsOf(value, type.fields)
    default:
      return value
  }
}

function fieldsOf(value: unknown, fields: ReadonlyMap<string, FieldType>): BsonDocument {
  const from = isObject(value) ? value : {}
  const found: BsonDocument = {}
  for (const [name, type] of fields) {
    const inner = Object.hasOwn(from, name) ? typed(from[name], type) : undefined
    if (inner !== undefined && inner !== null) putField(found, name, inner)
  }
  return found
}

/** What has any shape: whole numbers of 32 bits are ints, all others doubles. */
function open(value: unknown): unknown {
  if (typeof value === 'number')
    return (value | 0) === value && !Object.is(value, -0) ? new Int32(value) : new Double(value)
  if (Array.isArray(value)) return value.map(open)
  if (!isObject(value)) return value
  return mapFields(value, (inner, name) => {
    // The one is how the driver knows its own types, the other ends a name in BSON.
    if (name === '_bsontype' || name.includes('\0')) {
      throw new Problem(
        'invalid_input',
        'has a field in session_metadata whose name this store cannot keep: _bsontype, or one with a NUL in it',
      )
    }
    return open(inner)
  })
}

const recordFields = new Map(callFields.map(({ name, type }) => [name, type]))

/** Fields of a record's JSON in the types of BSON, in the order of the record. @throws SyntaxError for what is no JSON */
export function readFields(json: string | Uint8Array, names?: readonly string[]): BsonDocument {
  const value: unknown = JSON.parse(typeof json === 'string' ? json : Buffer.from(json).toString())
  const fields =
    names === undefined ? recordFields : new Map([...recordFields].filter(([name]) => names.includes(name)))
  const read = fieldsOf(value, fields)
  // An object of any shape that is null is unknown too.
  return Object.fromEntries(Object.entries(read).filter(([, inner]) => inner !== null))
}

/** A call on its way into the store. @throws Problem for one that it can't keep, SyntaxError for what is no JSON */
export function readCall(projectId: string, call: PreparedCall, written: Written): CallDocument {
  const { session_id, agent_id, agent_name } = call
  return compose(projectId, { ...readFields(call.json), session_id, agent_id, agent_name }, written)
}

/** A stored call with other fields in place of its own; null takes one away. */
export function withFields(
  document: CallDocument,
  fields: Readonly<Record<string, unknown>>,
  written: Written,
): CallDocument {
  return compose(String(document['project_id']), { ...document, ...fields }, written)
}

function compose(projectId: string, fields: BsonDocument, { place, write }: Written): CallDocument {
  const sessionId = String(fields['session_id'])
  const key = sessionKey(sessionId)
  const record = callFields.flatMap(({ name }): [string, unknown][] => {
    const value: unknown = fields[name]
    return value === undefined || value === null ? [] : [[name, value]]
  })
  return {
    _id: idOf(projectId, sessionId),
    project_id: projectId,
    place: Long.fromBigInt(place),
    write_number: new Int32(write),
    // Signed, as BSON has it.
    session_key: Long.fromBigInt(BigInt.asIntN(64, key)),
    id_hash: new Int32(Number(key % ID_PARTS)),
    ...Object.fromEntries(record),
    ...derived(Object.fromEntries(record)),
  }
}

const listOf = (value: unknown): readonly BsonDocument[] | undefined => (Array.isArray(value) ? value : undefined)
const textsOf = (values: readonly unknown[]) => values.filter(value => typeof value === 'string')
const keysOf = (items: readonly BsonDocument[]) => [...new Set(items.map(({ key }) => String(key)))].toSorted(byBytes)
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'object' && value !== null ? Number(value) : undefined

/** What is computed once when a call is written. */
function derived(record: BsonDocument): BsonDocument {
  const { title, coaching_summary: summary, talk_patterns: patterns, session_metadata: metadata } = record
  const turns = listOf(record['transcript'])
  const signals = listOf(record['signals'])
  const guidance = listOf(record['guidance'])
  const spoken = turns && textsOf(turns.map(({ text }) => text as unknown)).join('\n')
  const ends = (turns ?? []).flatMap(({ end_s: end }) => numberOf(end) ?? [])
  const duration =
    numberOf((patterns as BsonDocument | undefined)?.['total_duration_s']) ??
    numberOf((metadata as BsonDocument | undefined)?.['audio_length_seconds']) ??
    (ends.length > 0 ? ends.reduce((a, b) => Math.max(a, b)) : undefined)
  const present = signals?.filter(({ state }) => state === 'present')
  return {
    search_text: foldedText(textsOf([title, summary, spoken]).join('\n')),
    ...(duration !== undefined && { duration_s: new Double(duration) }),
    ...(present !== undefined && { signal_count: new Int32(present.length), present_signals: keysOf(present) }),
    ...(guidance !== undefined && { guidance_keys: keysOf(guidance) }),
  }
}

/** What is left of a value where only the fields of another type are. */
function kept(value: unknown, type: FieldType, left: FieldType): unknown {
  if (type === left || value === undefined || value === null) return value
  if (type.kind === 'list' && left.kind === 'list')
    return (value as readonly unknown[]).map(item => kept(item, type.of, left.of))
  if (type.kind !== 'struct' || left.kind !== 'struct') throw new TypeError('No such rest of a value')
  return Object.fromEntries(
    [...left.fields].flatMap(([name, field]): [string, unknown][] => {
      const inner: unknown = (value as BsonDocument)[name]
      return inner === undefined ? [] : [[name, kept(inner, type.fields.get(name) ?? field, field)]]
    }),
  )
}

const META = ['_id', 'project_id', 'place', 'write_number', 'session_key', 'id_hash'] as const

/** What of a call is no text: what a pipeline without texts reads, and most others too. */
export function factsOf(document: CallDocument): CallDocument {
  const record = callFields.flatMap(({ name, type, withoutText }): [string, unknown][] => {
    const value: unknown = document[name]
    return value === undefined || withoutText === undefined ? [] : [[name, kept(value, type, withoutText)]]
  })
  const computed = derivedNames.filter(({ name, holdsText }) => !holdsText && document[name] !== undefined)
  return Object.fromEntries([
    ...META.map((name): [string, unknown] => [name, document[name]]),
    ...record,
    ...computed.map(({ name }): [string, unknown] => [name, document[name]]),
  ])
}

/** Whether `facts` has all of a field. */
const isWhole = ({ type, withoutText }: Field): boolean => type === withoutText

/** Fields of which `facts` has all there is. */
export const wholeInFacts: ReadonlySet<string> = new Set([
  '_id',
  ...callFields.filter(isWhole).map(({ name }) => name),
  ...derivedNames.filter(({ holdsText }) => !holdsText).map(({ name }) => name),
])

/** A stored value as JSON: numbers are numbers, dates ISO texts. */
export function plain(value: unknown): unknown {
  if (typeOf(value) !== undefined) return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (!isObject(value)) return value
  return mapFields(value, plain)
}
