import type { Document as BsonDocument } from 'bson'
import { isObject } from '../../base/is-object.js'
import { callFields } from '../../calls/call-fields.js'
import { type Fields, fieldsRead, readLiteral, type ScopedPipeline, type Stage } from '../../pipeline/index.js'
import type { RunPlan } from '../store.js'
import { derivedNames, wholeInFacts } from './call-document.js'
import { toBson } from './values.js'

/** A pipeline as the server runs its first stages. */
export interface Native {
  readonly collection: 'calls' | 'facts'
  readonly stages: readonly BsonDocument[]
  readonly plan: RunPlan
}

/**
 * Conditions of a filter that mean the same on every server that speaks MongoDB's protocol. All others, and every other stage, are
 * evaluated over what the server returns.
 */
const CONDITIONS = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists', '$size'])
const LOGICAL = new Set(['$and', '$or', '$nor'])

/** Names of operators and stages. */
export type Names = ReadonlySet<string>

/** The operator that keeps a filter from the server; undefined where it has none. */
function foreignIn(filter: unknown, otherwise: Names): string | undefined {
  for (const [name, condition] of Object.entries(filter as object) as [string, unknown][]) {
    if (otherwise.has(name)) return name
    const foreign = LOGICAL.has(name)
      ? (condition as readonly unknown[]).map(one => foreignIn(one, otherwise)).find(one => one !== undefined)
      : foreignAt(name, condition, otherwise)
    if (foreign !== undefined) return foreign
  }
  return undefined
}

function foreignAt(path: string, condition: unknown, otherwise: Names): string | undefined {
  if (path.startsWith('$')) return path
  // A number is an index as well as a name, and where a field is missing within arrays the versions differ.
  if (/(?:^|\.)\d+(?:\.|$)/.test(path)) return '$match'
  if (!isObject(condition) || Object.keys(condition).length === 0) return '$match'
  for (const [name, operand] of Object.entries(condition)) {
    if (!CONDITIONS.has(name) || otherwise.has(name)) return name
    const operands: readonly unknown[] = name === '$in' || name === '$nin' ? (operand as readonly unknown[]) : [operand]
    if (!operands.every(one => isPlain(one, path))) return name
  }
  return undefined
}

/** Texts, truth, dates, finite numbers; null of a field of the call itself. */
function isPlain(operand: unknown, path: string): boolean {
  if (operand === null) return !path.includes('.')
  if (typeof operand === 'string' || typeof operand === 'boolean') return true
  if (typeof operand === 'number') return Number.isFinite(operand)
  return isObject(operand) && Object.keys(operand).length === 1 && ('$date' in operand || '$numberLong' in operand)
}

/** JSON of ours as the driver sends it, each number as the type it has. */
export const sent = (json: object): BsonDocument => toBson(readLiteral(json, 'pipeline')) as BsonDocument

/** What calls are ordered by where nothing else orders them. */
const ORDER = { created_dt: 1, _id: 1 } as const

/** The fields that a scope sees of calls, by the names they are read by. */
function visible({ scope, pipeline }: ScopedPipeline): readonly string[] {
  const full = scope.text === 'full'
  return [
    ...callFields.filter(({ withoutText }) => full || withoutText !== undefined).map(({ name }) => name),
    ...(pipeline.derivedFields
      ? derivedNames.filter(({ holdsText }) => full || !holdsText).map(({ name }) => name)
      : []),
  ]
}

/** The restriction to the asker's calls: the first stage, on stored fields, beneath all that was asked. */
function restriction({ scope, span, pipeline }: ScopedPipeline): object {
  const { from, before } = span ?? {}
  const pin = pipeline.stages[0]?.pins?.find(({ field }) => field === '_id' || field === 'session_id')
  const began = {
    ...(from !== undefined && { $gte: { $date: from.toISOString() } }),
    ...(before !== undefined && { $lt: { $date: before.toISOString() } }),
  }
  const conditions = [
    { project_id: { $eq: scope.projectId } },
    ...(scope.agents === 'all' ? [] : [{ agent_name: { $in: scope.agents } }]),
    ...(Object.keys(began).length === 0 ? [] : [{ created_dt: began }]),
    ...(pin === undefined ? [] : [{ session_id: { $eq: pin.value } }]),
  ]
  return { $match: { $and: conditions } }
}

/** Whether what stages give depends on the order of the documents that reach them. */
function readsOrder(stages: readonly Stage[]): boolean {
  for (const { order } of stages) {
    if (order === 'free') return false
    if (order !== 'kept') return true
  }
  return true
}

const types = new Map(callFields.map(({ name, type }) => [name, type]))
const derivedScalars = new Set(['_id', 'duration_s', 'signal_count', 'write_number', 'id_hash'])

/** Whether a path leads to one value of one type, if to any: servers agree on the order of those. */
function isScalar(path: string): boolean {
  const [root = '', ...steps] = path.split('.')
  let type = types.get(root)
  if (type === undefined) return steps.length === 0 && derivedScalars.has(root)
  for (const step of steps) type = type?.kind === 'struct' ? type.fields.get(step) : undefined
  return type !== undefined && !['list', 'struct', 'open'].includes(type.kind)
}

/** A $sort of calls, which other calls stay behind in the order they had. */
type Order = Readonly<Record<string, 1 | -1>>

/**
 * Of a narrowed pipeline the longest beginning that means the same on the server, behind the restriction and the choice of fields:
 * what calls have beside their record never leaves the server.
 * @param otherwise what this server does otherwise than MongoDB: see `probe`
 */
export function nativeOf(scoped: ScopedPipeline, otherwise: Names): Native {
  const { pipeline, scope } = scoped
  const { stages } = pipeline
  const native: BsonDocument[] = []
  let order: Order = ORDER
  let isOrdered = false
  let engineStages = 0
  let keptOut: string | undefined
  for (const stage of stages) {
    const { name } = stage
    if (otherwise.has(name)) {
      keptOut = name
      break
    }
    if (name === '$match') {
      const json = stage.toJson() as { readonly $match: object }
      keptOut = foreignIn(json.$match, otherwise)
      if (keptOut !== undefined) break
      native.push(sent(json))
    } else if (name === '$sort') {
      const { $sort: keys } = stage.toJson() as { readonly $sort: Order }
      if (!Object.keys(keys).every(isScalar)) break
      order = { ...keys, ...Object.fromEntries(Object.entries(order).filter(([key]) => !Object.hasOwn(keys, key))) }
      native.push({ $sort: order })
      isOrdered = true
    } else if (name === '$limit' || name === '$skip') {
      if (!isOrdered) native.push({ $sort: order })
      isOrdered = true
      native.push(sent(stage.toJson()))
    } else break
    engineStages += 1
  }
  const rest = stages.slice(engineStages)
  if (!isOrdered && readsOrder(rest)) native.push({ $sort: order })
  const wanted = fieldsRead(stages)
  const facts = scope.text !== 'full' || (wanted !== 'all' && [...wanted].every(one => wholeInFacts.has(one)))
  return {
    collection: facts ? 'facts' : 'calls',
    stages: [sent(restriction(scoped)), { $project: chosen(scoped, wanted, order) }, ...native, ...leaving(rest)],
    plan: {
      engine_stages: engineStages,
      evaluated_stages: rest.length,
      ...(keptOut !== undefined && { kept_out: keptOut }),
    },
  }
}

/** The fields that are read later, under the names they are read by. */
function chosen(scoped: ScopedPipeline, wanted: Fields, order: Order): BsonDocument {
  const read = new Set(
    wanted === 'all' ? [] : [...wanted, ...Object.keys(order).map(path => path.split('.')[0] ?? path)],
  )
  const names = visible(scoped).filter(name => wanted === 'all' || read.has(name))
  return { _id: '$session_id', ...Object.fromEntries(names.map(name => [name, 1])) }
}

/** What is evaluated here gets no more than it reads. */
function leaving(rest: readonly Stage[]): readonly BsonDocument[] {
  const read = rest.length === 0 ? 'all' : fieldsRead(rest)
  if (read === 'all') return []
  const names = [...read].filter(name => name !== '_id')
  if (names.length === 0) return [{ $project: { _id: 1 } }]
  const kept = Object.fromEntries(names.map((name): [string, number] => [name, 1]))
  return [{ $project: read.has('_id') ? kept : { _id: 0, ...kept } }]
}
