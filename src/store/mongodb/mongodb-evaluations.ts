import { createHash } from 'node:crypto'
import { Long, serialize } from 'bson'
import { evaluatedFieldNames, fieldsReadToEvaluate } from '../../calls/evaluated-fields.js'
import type { CallsToEvaluate, CallToEvaluate, EvaluatedCall, EvaluationChoice, EvaluationPage } from '../store.js'
import { type CallDocument, longOf, plain, readFields, withFields } from './call-document.js'
import type { CallWriter } from './call-writer.js'

/** Calls looked at together: at some kilobytes a call a page stays within a few megabytes. */
const PAGE_CALLS = 256

const OURS = { 'evaluation.evaluator': { $in: ['rules', 'model'] } }
/** Brings nothing of its own: neither an evaluation nor what one says. */
const none = (name: string) => ({ $or: [{ [name]: { $exists: false } }, { [name]: { $size: 0 } }] })
const PENDING = {
  $and: [
    ...['evaluation', 'score', 'predicted_csat'].map(name => ({ [name]: { $exists: false } })),
    ...['scores', 'dimensions', 'signals', 'guidance'].map(none),
  ],
}

function chosenBy({ which, rubric, rubricVersion }: EvaluationChoice): object {
  const other = {
    $or: [{ 'evaluation.rubric': { $ne: rubric } }, { 'evaluation.rubric_version': { $ne: rubricVersion } }],
  }
  switch (which) {
    case 'pending':
      return PENDING
    case 'stale':
      return { $or: [PENDING, { $and: [OURS, other] }] }
    case 'all':
      return { $or: [PENDING, OURS] }
    case 'everything':
      return {}
  }
}

const filterOf = (projectId: string, choice: EvaluationChoice) => ({
  $and: [
    { project_id: projectId },
    chosenBy(choice),
    ...(choice.only === undefined ? [] : [{ session_id: { $in: [...choice.only] } }]),
    { $nor: [{ $and: [OURS, { 'evaluation.evaluated_at': { $gte: new Date(choice.before) } }] }] },
  ],
})

function jsonOf(document: CallDocument): string {
  const { evaluator, rubric, rubric_version } = (document['evaluation'] ?? {}) as Readonly<Record<string, unknown>>
  const evaluation =
    document['evaluation'] === undefined
      ? null
      : { evaluator: evaluator ?? null, rubric: rubric ?? null, rubric_version: rubric_version ?? null }
  const names = [...fieldsReadToEvaluate, 'created_dt']
  const read = names.map((name): [string, unknown] => [name, plain(document[name]) ?? null])
  return JSON.stringify({ ...Object.fromEntries(read), evaluation })
}

/** Changes with everything that an evaluation reads or replaces, but for what no evaluation looks at. */
function seenOf(document: CallDocument): string {
  const { transcript, session_metadata, evaluation, score } = document
  return createHash('sha256').update(serialize({ transcript, session_metadata, evaluation, score })).digest('base64')
}

/** Which calls became what somebody wants to know of. */
type Notable = (
  projectId: string,
  before: ReadonlyMap<string, CallDocument>,
  after: readonly CallDocument[],
) => Promise<readonly string[]>

/** Calls in the order in which they were written: where they stand in it is what pages begin and end with. */
export class MongoEvaluations {
  readonly #writer: CallWriter
  readonly #notable: Notable

  constructor(writer: CallWriter, notable: Notable) {
    this.#writer = writer
    this.#notable = notable
  }

  async choose(projectId: string, choice: EvaluationChoice): Promise<CallsToEvaluate> {
    const { calls } = this.#writer
    const filter = filterOf(projectId, choice)
    const options = { projection: { place: 1, session_key: 1 }, promoteLongs: false } as const
    const { sample } = choice
    if (sample !== undefined) {
      // The key is a hash of the id: the smallest ones are a sample.
      const found = await calls.find(filter, { ...options, sort: { session_key: 1 }, limit: sample }).toArray()
      const places = found.map(one => longOf(one['place'])).toSorted((a, b) => (a < b ? -1 : 1))
      const last = found.at(-1)
      const lastKey = last && longOf(last['session_key'])
      return { choice, count: found.length, first: places[0] ?? 0n, last: places.at(-1) ?? -1n, lastKey }
    }
    const [count, [first], [last]] = await Promise.all([
      calls.countDocuments(filter),
      calls.find(filter, { ...options, sort: { place: 1 }, limit: 1 }).toArray(),
      calls.find(filter, { ...options, sort: { place: -1 }, limit: 1 }).toArray(),
    ])
    return {
      choice,
      count,
      first: first === undefined ? 0n : longOf(first['place']),
      last: last === undefined ? -1n : longOf(last['place']),
      lastKey: undefined,
    }
  }

  async page(projectId: string, chosen: CallsToEvaluate, from: bigint): Promise<EvaluationPage> {
    const { choice, last, lastKey } = chosen
    if (from > last) return { calls: [], next: undefined }
    const within = {
      place: { $gte: Long.fromBigInt(from), $lte: Long.fromBigInt(last) },
      ...(lastKey !== undefined && { session_key: { $lte: Long.fromBigInt(lastKey) } }),
    }
    const found = await this.#writer
      .find({ $and: [within, filterOf(projectId, choice)] }, { sort: { place: 1 }, limit: PAGE_CALLS })
      .toArray()
    const calls = found.map((one): CallToEvaluate => ({
      session_id: String(one['session_id']),
      json: jsonOf(one),
      seen: seenOf(one),
      write: longOf(one['write_number']),
    }))
    const end = found.at(-1)
    const next = found.length < PAGE_CALLS || end === undefined ? undefined : longOf(end['place']) + 1n
    return { calls, next }
  }

  async write(projectId: string, evaluated: readonly EvaluatedCall[]): Promise<number> {
    if (evaluated.length === 0) return 0
    return await this.#writer.writing(projectId, async () => {
      const ids = evaluated.map(({ session_id: id }) => id)
      const before = await this.#writer.read(projectId, ids)
      const { write } = await this.#writer.number(0)
      const put = new Map<string, CallDocument>()
      for (const { session_id: id, seen, json } of evaluated) {
        const document = before.get(id)
        if (document === undefined || seenOf(document) !== seen) continue
        // What is not there is unknown from then on; the outcome lift was that of the evaluation before.
        const unknown = Object.fromEntries([...evaluatedFieldNames, 'outcome_lift'].map(name => [name, null]))
        const fields = { ...unknown, ...readFields(json, evaluatedFieldNames) }
        put.set(id, withFields(document, fields, { write, place: longOf(document['place']) }))
      }
      const after = [...put.values()]
      await this.#writer.apply(projectId, write, { put: after, noted: await this.#notable(projectId, before, after) })
      return after.length
    })
  }
}
