import type { Document as BsonDocument } from 'bson'
import { callFields } from '../../calls/call-fields.js'
import type { FieldType } from '../../calls/field-type.js'
import { type Fields as Names, fieldsRead, readLiteral, type ScopedPipeline, type Stage } from '../../pipeline/index.js'
import type { RunPlan } from '../store.js'
import { derivedNames, wholeInFacts } from './call-document.js'
import {
  type Fields,
  isOrdered,
  isWhole,
  KeptOut,
  type Names as Answered,
  ONE_VALUE,
  pathOf,
  sendExpression,
  type Sending,
  typeAt,
} from './native-expression.js'
import { sendFilter } from './native-filter.js'
import { toBson } from './values.js'

/** A pipeline as the server runs its first stages. */
export interface Native {
  readonly collection: 'calls' | 'facts'
  readonly stages: readonly BsonDocument[]
  readonly plan: RunPlan
  /** What comes back are groups, which have yet to be put in the order of their ids. */
  readonly groups: boolean
}

/** JSON of ours as the driver sends it, each number as the type it has. */
export const sent = (json: object): BsonDocument => toBson(readLiteral(json, 'pipeline')) as BsonDocument

/** By what documents are ordered; what is equal in it is the same document. */
type Order = Readonly<Record<string, 1 | -1>>

/** What calls are ordered by where nothing else orders them. */
const ORDER = { created_dt: 1, _id: 1 } as const

const STRINGS: FieldType = { kind: 'list', of: ONE_VALUE }
const derivedTypes: ReadonlyMap<string, FieldType> = new Map([
  ['present_signals', STRINGS],
  ['guidance_keys', STRINGS],
])

/** The fields that a scope sees of calls, with their types, by the names they are read by. */
function visible({ scope, pipeline }: ScopedPipeline): Fields {
  const full = scope.text === 'full'
  const derived = pipeline.derivedFields ? derivedNames.filter(({ holdsText }) => full || !holdsText) : []
  return new Map([
    ['_id', ONE_VALUE],
    ...callFields
      .filter(({ withoutText }) => full || withoutText !== undefined)
      .map(({ name, type }): [string, FieldType] => [name, type]),
    ...derived.map(({ name }): [string, FieldType] => [name, derivedTypes.get(name) ?? ONE_VALUE]),
  ])
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

type Json = Readonly<Record<string, unknown>>

/** Stages as the server is sent them, one after the other, with what is known of the documents behind the last. */
class Sender {
  readonly stages: object[] = []
  /** undefined: only as they come. */
  order: Order | undefined = ORDER
  /** They come in that order. */
  ordered = false
  /** They are groups whose ids servers may order otherwise. */
  groups = false
  #fields: Fields
  readonly #answered: Answered
  readonly #now: Date

  constructor(fields: Fields, answered: Answered, now: Date) {
    this.#fields = fields
    this.#answered = answered
    this.#now = now
  }

  /** @param rest it and those behind it @throws KeptOut, and then nothing is added */
  add(rest: readonly Stage[]): void {
    const [stage] = rest
    const { name, order } = stage!
    if (!this.#answered.has(`stage:${name}`)) throw new KeptOut(name)
    const given = (stage!.toJson() as Json)[name]
    switch (name) {
      case '$match':
        this.stages.push({ $match: sendFilter(given, this.#sending) })
        return
      case '$sort':
        this.#sort(given as Order)
        return
      case '$limit':
      case '$skip':
        this.inOrder()
        this.stages.push({ [name]: given })
        return
      case '$project':
      case '$set':
      case '$addFields':
        this.#choose(name, given as Json, readsOrder(rest))
        return
      case '$unwind':
        this.#unwind(given as Json, readsOrder(rest))
        return
      case '$group':
        this.#group(given as Json, order !== 'free')
        return
      case '$sortByCount':
        if (!isOrdered(sendExpression(given, this.#sending).type)) throw new KeptOut(name)
        this.#group({ _id: given, count: { $sum: 1 } }, false)
        this.#sort({ count: -1 })
        return
      case '$count':
        // Of nothing servers count differently, but group alike.
        this.stages.push({ $group: { _id: null, [String(given)]: { $sum: 1 } } }, { $project: { _id: 0 } })
        this.#become(new Map([[String(given), ONE_VALUE]]), {})
        return
      default:
        throw new KeptOut(name)
    }
  }

  /** Has them come in their order. */
  inOrder(): void {
    if (this.ordered) return
    if (this.order === undefined) throw new KeptOut('$sort')
    if (Object.keys(this.order).length > 0) this.stages.push({ $sort: this.order })
    this.ordered = true
  }

  get #sending(): Sending {
    return { fields: this.#fields, answered: this.#answered, now: this.#now }
  }

  /** What is equal in all keys stays in the order it had. */
  #sort(keys: Order): void {
    const { order } = this
    const isAlike = Object.keys(keys).every(key => isOrdered(typeAt(this.#fields, pathOf(key))))
    if (order === undefined || !isAlike) throw new KeptOut('$sort')
    this.order = { ...keys, ...Object.fromEntries(Object.entries(order).filter(([key]) => !Object.hasOwn(keys, key))) }
    this.ordered = false
    this.inOrder()
  }

  #choose(name: '$project' | '$set' | '$addFields', given: Json, isOrderRead: boolean): void {
    const fields = Object.entries(given).map(([path, value]) => {
      const isFlag = name === '$project' && typeof value === 'boolean'
      return {
        path: pathOf(path),
        flag: isFlag ? value : undefined,
        sent: isFlag ? undefined : sendExpression(value, this.#sending),
      }
    })
    if (isOrderRead) this.inOrder()
    const others = fields.filter(({ path }) => path[0] !== '_id')
    const isInclusion = name === '$project' && (others.length > 0 ? others : fields).some(({ flag }) => flag !== false)
    const kept = new Map(isInclusion ? [] : this.#fields)
    if (isInclusion && given['_id'] !== false) kept.set('_id', this.#fields.get('_id'))
    for (const { path, flag, sent } of fields) {
      const [root = ''] = path
      if (flag === true) kept.set(root, this.#fields.get(root))
      else if (sent !== undefined) kept.set(root, path.length === 1 ? sent.type : undefined)
      else if (path.length === 1) kept.delete(root)
      else kept.set(root, undefined)
    }
    const json = Object.fromEntries(
      fields.map(({ path, flag, sent }) => [path.join('.'), sent === undefined ? flag : sent.json]),
    )
    this.stages.push({ [name]: json })
    const isSame = (key: string) => {
      const [root = ''] = key.split('.')
      return kept.has(root) && !fields.some(one => one.path[0] === root && one.flag !== true)
    }
    const { order } = this
    this.#fields = kept
    this.order = order !== undefined && Object.keys(order).every(isSame) ? order : undefined
  }

  #unwind(given: Json, isOrderRead: boolean): void {
    const path = pathOf(String(given['path']).slice(1))
    const index = given['includeArrayIndex']
    if (isOrderRead) this.inOrder()
    const fields = new Map(this.#fields)
    const type = typeAt(fields, path)
    if (path.length === 1) fields.set(path[0]!, type?.kind === 'list' ? type.of : type)
    else fields.set(path[0]!, undefined)
    if (typeof index === 'string') fields.set(pathOf(index)[0]!, path.length === 1 ? ONE_VALUE : undefined)
    this.stages.push({ $unwind: given })
    // The elements of one document are told apart by where they stand alone.
    this.#fields = fields
    this.order = undefined
  }

  #group({ _id: given, ...outputs }: Json, isOrderRead: boolean): void {
    const id = sendExpression(given, this.#sending)
    if (id.type?.kind === 'struct' && !this.#answered.has('stage:$group by documents')) throw new KeptOut('$group')
    const gathered = Object.entries(outputs).map(([name, output]) => {
      const [[operator, operand] = ['', undefined]] = Object.entries(output as Json)
      if (operator === '$count') {
        this.#asked('$sum')
        return { name, json: { $sum: 1 }, type: ONE_VALUE }
      }
      const sending = sendExpression(operand, this.#sending)
      this.#asked(operator === '$sum' && !isWhole(sending) ? '$sum of fractions' : operator)
      const isOne = operator !== '$push' && (isOrdered(sending.type) || operator === '$sum' || operator === '$avg')
      return { name, json: { [operator]: sending.json }, type: isOne ? ONE_VALUE : undefined }
    })
    if (isOrderRead) this.inOrder()
    const ids = id.type ?? (given === null ? ONE_VALUE : undefined)
    this.stages.push({
      $group: { _id: id.json, ...Object.fromEntries(gathered.map(({ name, json }) => [name, json])) },
    })
    this.groups = !isOrdered(ids)
    this.#become(new Map([['_id', ids], ...gathered.map(({ name, type }) => [name, type] as const)]), { _id: 1 })
    if (this.groups) this.order = undefined
  }

  #asked(operator: string): void {
    if (!this.#answered.has(`group:${operator}`)) throw new KeptOut(operator.split(' ')[0])
  }

  #become(fields: Fields, order: Order): void {
    this.#fields = fields
    this.order = order
    this.ordered = false
  }
}

/**
 * Of a narrowed pipeline the longest beginning that means the same on the server, behind the restriction and the choice of fields:
 * what calls have beside their record never leaves the server.
 * @param answered what this server does as MongoDB does: see `probe`
 */
export function nativeOf(scoped: ScopedPipeline, answered: Answered): Native {
  const { pipeline, scope } = scoped
  const { stages } = pipeline
  const fields = visible(scoped)
  const sender = new Sender(fields, answered, pipeline.now)
  let engineStages = 0
  let keptOut: string | undefined
  while (engineStages < stages.length && !sender.groups) {
    try {
      sender.add(stages.slice(engineStages))
      engineStages += 1
    } catch (error) {
      if (!(error instanceof KeptOut)) throw error
      keptOut = error.operator ?? stages[engineStages]?.name
      break
    }
  }
  const rest = stages.slice(engineStages)
  if (!sender.groups && readsOrder(rest)) sender.inOrder()
  const wanted = fieldsRead(stages)
  const facts = scope.text !== 'full' || (wanted !== 'all' && [...wanted].every(one => wholeInFacts.has(one)))
  return {
    collection: facts ? 'facts' : 'calls',
    stages: [
      sent(restriction(scoped)),
      { $project: chosen(fields, wanted, sender.stages) },
      ...sender.stages.map(sent),
      ...leaving(rest),
    ],
    plan: {
      engine_stages: engineStages,
      evaluated_stages: rest.length,
      ...(keptOut !== undefined && { kept_out: keptOut }),
    },
    groups: sender.groups,
  }
}

/** The fields that are read later, under the names they are read by. */
function chosen(fields: Fields, wanted: Names, stages: readonly object[]): BsonDocument {
  const ordering = stages.flatMap(stage => ('$sort' in stage ? Object.keys(stage.$sort as Order) : []))
  const read = new Set(wanted === 'all' ? [] : [...wanted, ...ordering.map(path => path.split('.')[0] ?? path)])
  const names = [...fields.keys()].filter(name => name !== '_id' && (wanted === 'all' || read.has(name)))
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
