import { otherWork } from '../../base/other-work.js'
import { z } from 'zod'
import type { Span } from '../../base/period.js'
import type { Outcome } from '../../statistics/compare-periods.js'
import type { Asker } from '../asker.js'
import {
  dimensionKind,
  driverKind,
  eachOf,
  guidanceKind,
  havingKind,
  isOf,
  type Kind,
  ratingKind,
  readBy,
  signalKind,
} from '../kinds.js'
import { readDocuments } from '../read-document.js'
import type { Category } from './change.js'
import type { PeriodsCompared } from './periods-compared.js'

/** Something that may have changed. */
export interface Measured {
  readonly category: Category
  readonly key: string
  readonly kind: Kind
  readonly id: unknown
  readonly outcome: Outcome
}

/** Everything that was asked for, of every agent and period. */
export interface Panel {
  /** In the order of the rows of outcomes. */
  readonly agents: readonly { readonly agent_id: string; readonly agent_name: string }[]
  readonly measured: readonly Measured[]
  /** Calls by agent and column, and evaluated ones. */
  readonly calls: Float64Array
  readonly evaluated: Float64Array
}

/** Most values, or values of a piece of time, and most agents that are read. */
const MOST = 1_000_000

const agentSchema = z.object({ agent_id: z.string(), agent_name: z.string() })

/** A number by the piece of time that a call is in, as an expression: comparisons, the newest first. */
const byPiece = (pieces: readonly Span[], value: (piece: number) => number): unknown =>
  pieces.reduce<unknown>(
    (older, { from }, piece) => ({ $cond: [{ $gte: ['$created_dt', new Date(from)] }, value(piece), older] }),
    0,
  )

const inPieces = (pieces: readonly Span[], conditions: readonly object[]) => ({
  $match: {
    $and: [
      // Reaches calls that are dated ahead only where a period does.
      { created_dt: { $gte: new Date(pieces[0]!.from), $lt: new Date(pieces.at(-1)!.until) } },
      {
        $or: pieces.map(({ from, until }) => ({ created_dt: { $gte: new Date(from), $lt: new Date(until) } })),
      },
      ...conditions,
    ],
  },
})

/**
 * Counts of several pieces of time in one number, each in bits of its own: grouping costs by how many numbers there are. What
 * a call adds is within 31 bits, and what all add is exact as a double.
 */
class Packing {
  readonly names: readonly string[]
  readonly #bits: number
  readonly #perNumber: number
  readonly #pieces: readonly Span[]

  /** @param most calls of one agent in one piece */
  constructor(pieces: readonly Span[], most: number) {
    this.#pieces = pieces
    this.#bits = Math.max(1, Math.ceil(Math.log2(most + 1)))
    this.#perNumber = Math.min(Math.floor(30 / this.#bits) + 1, Math.floor(53 / this.#bits))
    const numbers = Math.ceil(pieces.length / this.#perNumber)
    this.names = Array.from({ length: numbers }, (_, number) => `packed${number}`)
  }

  /** What a call adds to each number. */
  adds(): Readonly<Record<string, unknown>> {
    const adds = (number: number) =>
      byPiece(this.#pieces, piece =>
        Math.floor(piece / this.#perNumber) === number ? 2 ** (this.#bits * (piece % this.#perNumber)) : 0,
      )
    return Object.fromEntries(this.names.map((name, number) => [name, adds(number)]))
  }

  /** Which number holds a piece's count, and the count in it. */
  placeOf(piece: number): { readonly name: string; readonly count: (packed: number) => number } {
    const shift = 2 ** (this.#bits * (piece % this.#perNumber))
    const room = 2 ** this.#bits
    const name = this.names[Math.floor(piece / this.#perNumber)]!
    return { name, count: packed => Math.floor(packed / shift) % room }
  }
}

/** Counts, sums and sums of squares of a value. */
const momentsOf = (name: string, field: string): Readonly<Record<string, object>> => ({
  [`${name}_n`]: { $sum: { $cond: [{ $gt: [field, null] }, 1, 0] } },
  [`${name}_s`]: { $sum: field },
  [`${name}_q`]: { $sum: { $multiply: [field, field] } },
})

interface ShareOf {
  readonly category: Category
  readonly kind: Kind
  readonly keyOf: (id: unknown) => string
  /** A call has a value once at most. */
  readonly isOnce: boolean
}

const text = (id: unknown) => z.string().parse(id)
const dimension = z.object({ key: z.string(), value: z.string() })

const SHARES: readonly ShareOf[] = [
  { category: 'signals', kind: { ...signalKind, evaluatedOnly: true }, keyOf: text, isOnce: true },
  { category: 'guidance', kind: { ...guidanceKind, evaluatedOnly: true }, keyOf: text, isOnce: true },
  { category: 'drivers', kind: driverKind, keyOf: text, isOnce: true },
  {
    category: 'dimensions',
    kind: { ...dimensionKind, evaluatedOnly: true },
    keyOf: id => {
      const { key, value } = dimension.parse(id)
      return `${key}=${value}`
    },
    isOnce: false,
  },
]

/** Numbers of groups as lists, in the order of the list of whom they are of: far quicker to read than a row each. */
const asLists = (names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, { $push: { $toDouble: `$${name}` } }]))

/** What a group was of, as it was grouped by. */
const OF_AGENTS = { agents: { $push: '$_id.agent' } }

const numbers = z.array(z.number())
const totalsRow = z
  .object({ _id: z.object({ piece: z.int() }), ids: z.array(z.string()), names: z.array(z.string()) })
  .catchall(numbers)
const countedRow = z.object({ _id: z.unknown(), agents: z.array(z.string()) }).catchall(numbers)
const pieceRow = z
  .object({ _id: z.object({ by: z.unknown(), piece: z.int() }), agents: z.array(z.string()) })
  .catchall(numbers)

type Agent = z.infer<typeof agentSchema>
const keyOfAgent = ({ agent_id: id, agent_name: name }: Agent) => `${name}\n${id}`

/** How agents are told apart in what is read: by id where that is enough, which costs less. */
interface AgentNumbers {
  readonly agents: readonly Agent[]
  /** What tells them apart, as an expression, and their numbers by it. */
  readonly by: unknown
  readonly numbers: ReadonlyMap<string, number>
  of(agent: Agent): number | undefined
}

const AGENT_ID = { $ifNull: ['$agent_id', ''] }

/** @param found an agent may be among them several times */
function numbered(found: readonly Agent[]): AgentNumbers {
  const known = new Map(found.map(agent => [keyOfAgent(agent), agent]))
  const sorted = [...known].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const agents = sorted.map(([, agent]) => agent)
  const byKey = new Map(sorted.map(([key], i) => [key, i]))
  const byId = new Map(agents.map(({ agent_id: id }, i) => [id, i]))
  const isTold = byId.size === agents.length
  return {
    agents,
    // What is never missing is put in order by itself.
    by: isTold ? AGENT_ID : { $concat: ['$agent_name', '\n', AGENT_ID] },
    numbers: isTold ? byId : byKey,
    of: agent => byKey.get(keyOfAgent(agent)),
  }
}

/** Milliseconds after which others get their turn. */
const TURN_MS = 2

/** Documents one after the other; others get their turn between them. */
async function* inTurns<T>(schema: z.ZodType<T>, documents: Awaited<ReturnType<Asker['ask']>>): AsyncGenerator<T> {
  let began = performance.now()
  for (const document of documents) {
    yield readDocuments(schema, [document])[0]!
    if (performance.now() - began < TURN_MS) continue
    // oxlint-disable-next-line no-await-in-loop -- that is the purpose
    await otherWork()
    began = performance.now()
  }
}

/** Arrays of agents and columns, filled piece by piece. */
class Columns {
  readonly #agents: number
  readonly #width: number
  readonly #of: readonly (readonly number[])[]

  constructor({ pieces, columns }: PeriodsCompared, agents: number) {
    this.#agents = agents
    this.#width = columns.length
    this.#of = pieces.map((_, piece) => columns.flatMap((held, column) => (held.includes(piece) ? [column] : [])))
  }

  empty(): Float64Array {
    return new Float64Array(this.#agents * this.#width)
  }

  add(into: Float64Array, agent: number, piece: number, value: number): void {
    for (const column of this.#of[piece]!) into[agent * this.#width + column]! += value
  }
}

/** Counts everything of the wanted categories by agent and piece of time. */
export async function readPanel(
  asker: Asker,
  compared: PeriodsCompared,
  conditions: readonly object[],
  wanted: ReadonlySet<Category>,
): Promise<Panel> {
  const { pieces } = compared
  const reading: Reading = {
    ask: async stages => await asker.ask(stages, { maxDocuments: MOST }),
    from: (more = []) => inPieces(pieces, [...conditions, ...more]),
    piece: byPiece(pieces, number => number),
  }
  const fields = new Map([
    ...(wanted.has('scores') || wanted.has('agents') ? [['score', 'score'] as const] : []),
    ...(wanted.has('scores') ? [['predicted_csat', 'csat'] as const] : []),
  ])
  const totals = await readTotals(reading, fields)
  const agents = numbered(
    totals.flatMap(({ ids, names }) => ids.map((id, i) => ({ agent_id: id, agent_name: names[i]! }))),
  )
  const columns = new Columns(compared, agents.agents.length)
  const into = (name: string) => {
    const values = columns.empty()
    for (const { _id, ids, names, ...lists } of totals) {
      for (const [i, value] of lists[name]!.entries()) {
        columns.add(values, agents.of({ agent_id: ids[i]!, agent_name: names[i]! })!, _id.piece, value)
      }
    }
    return values
  }
  const calls = into('calls')
  const evaluated = into('evaluated')
  const most = totals.reduce((sum, { calls: counts }) => counts!.reduce((a, b) => Math.max(a, b), sum), 0)
  const packing = new Packing(pieces, most)
  const shares = SHARES.filter(({ category }) => wanted.has(category))
  const [ratings, ...counted] = await Promise.all([
    wanted.has('scores') ? readByPiece(reading, agents, ratingKind, momentsOf('value', '$scores.value')) : [],
    ...shares.map(({ kind, isOnce }) =>
      isOnce ? readPacked(reading, agents, kind, packing) : readByPiece(reading, agents, kind, { hits: { $sum: 1 } }),
    ),
  ])
  const measured = [...fields].map(([field, name]): Measured => {
    const outcome: Outcome = {
      kind: 'mean',
      calls: into(`${name}_n`),
      sums: into(`${name}_s`),
      squares: into(`${name}_q`),
    }
    return { category: 'scores', key: field, kind: havingKind(field), id: null, outcome }
  })
  const filled = { columns, agents }
  for (const { by, ...values } of await filledByPiece(filled, ratings, ['value_n', 'value_s', 'value_q'])) {
    const [n, sums, squares] = values.filled
    const outcome: Outcome = { kind: 'mean', calls: n!, sums: sums!, squares: squares! }
    measured.push({ category: 'scores', key: text(by), kind: ratingKind, id: by, outcome })
  }
  for (const [i, { category, kind, keyOf, isOnce }] of shares.entries()) {
    const of = kind.evaluatedOnly === true ? evaluated : calls
    const found = isOnce
      ? // oxlint-disable-next-line no-await-in-loop -- others get their turn
        await filledPacked(filled, counted[i]!, packing, pieces.length)
      : // oxlint-disable-next-line no-await-in-loop -- others get their turn
        await filledByPiece(filled, counted[i]!, ['hits'])
    for (const {
      by,
      filled: [hits],
    } of found) {
      // A call may carry a reading twice.
      const sums = isOnce ? hits! : hits!.map((count, at) => Math.min(count, of[at]!))
      const outcome: Outcome = { kind: 'share', calls: of, sums, squares: sums }
      measured.push({ category, key: keyOf(by), kind, id: by, outcome })
    }
  }
  return { agents: agents.agents, measured, calls, evaluated }
}

type Documents = Awaited<ReturnType<Asker['ask']>>

interface Reading {
  readonly ask: (stages: readonly object[]) => Promise<Documents>
  readonly from: (more?: readonly object[]) => object
  readonly piece: unknown
}

async function readTotals({ ask, from, piece }: Reading, fields: ReadonlyMap<string, string>) {
  const sums: Readonly<Record<string, object>> = {
    calls: { $sum: 1 },
    evaluated: { $sum: { $cond: ['$is_evaluated', 1, 0] } },
    ...Object.fromEntries([...fields].flatMap(([field, name]) => Object.entries(momentsOf(name, `$${field}`)))),
  }
  const documents = await ask([
    from(),
    {
      $project: {
        agent_id: AGENT_ID,
        agent_name: 1,
        piece,
        is_evaluated: { $gt: ['$evaluation', null] },
        ...Object.fromEntries([...fields.keys()].map(field => [field, 1])),
      },
    },
    { $group: { _id: { agent_id: '$agent_id', agent_name: '$agent_name', piece: '$piece' }, ...sums } },
    {
      $group: {
        _id: { piece: '$_id.piece' },
        ids: { $push: '$_id.agent_id' },
        names: { $push: '$_id.agent_name' },
        ...asLists(Object.keys(sums)),
      },
    },
  ])
  return readDocuments(totalsRow, documents)
}

/** Sums of each value of a kind, by piece of time. */
async function readByPiece(
  { ask, from, piece }: Reading,
  { by }: AgentNumbers,
  kind: Kind,
  sums: Readonly<Record<string, object>>,
) {
  return await ask([
    from(isOf(kind)),
    { $project: { agent: by, piece, ...readBy(kind) } },
    ...eachOf(kind),
    { $group: { _id: { agent: '$agent', piece: '$piece', by: kind.by }, ...sums } },
    { $group: { _id: { by: '$_id.by', piece: '$_id.piece' }, ...OF_AGENTS, ...asLists(Object.keys(sums)) } },
  ])
}

/** Calls with each value of a kind, of which a call has one once at most. */
async function readPacked({ ask, from }: Reading, { by }: AgentNumbers, kind: Kind, packing: Packing) {
  const sums = Object.fromEntries(packing.names.map(name => [name, { $sum: `$${name}` }]))
  return await ask([
    from(isOf(kind)),
    { $project: { agent: by, ...packing.adds(), ...readBy(kind) } },
    ...eachOf(kind),
    { $group: { _id: { agent: '$agent', by: { $ifNull: [kind.by, ''] } }, ...sums } },
    { $group: { _id: '$_id.by', ...OF_AGENTS, ...asLists(packing.names) } },
  ])
}

interface Filled {
  /** The value of the kind. */
  readonly by: unknown
  readonly filled: readonly Float64Array[]
}

interface Filling {
  readonly columns: Columns
  readonly agents: AgentNumbers
}

/** In the order of the values as JSON. */
const inOrder = (found: ReadonlyMap<string, Filled>) =>
  [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)

async function filledByPiece({ columns, agents }: Filling, documents: Documents, names: readonly string[]) {
  const found = new Map<string, Filled>()
  for await (const { _id, agents: whose, ...lists } of inTurns(pieceRow, documents)) {
    const key = JSON.stringify(_id.by)
    const one = found.get(key) ?? { by: _id.by, filled: names.map(() => columns.empty()) }
    found.set(key, one)
    for (const [at, name] of names.entries()) {
      for (const [i, value] of lists[name]!.entries()) {
        const agent = agents.numbers.get(whose[i]!)
        if (agent !== undefined) columns.add(one.filled[at]!, agent, _id.piece, value)
      }
    }
  }
  return inOrder(found)
}

async function filledPacked({ columns, agents }: Filling, documents: Documents, packing: Packing, pieces: number) {
  const places = Array.from({ length: pieces }, (_, piece) => packing.placeOf(piece))
  const found = new Map<string, Filled>()
  for await (const { _id: by, agents: whose, ...lists } of inTurns(countedRow, documents)) {
    const hits = columns.empty()
    const numbersOf = whose.map(name => agents.numbers.get(name))
    for (const [piece, { name, count }] of places.entries()) {
      const packed = lists[name]!
      for (const [i, agent] of numbersOf.entries()) {
        if (agent !== undefined) columns.add(hits, agent, piece, count(packed[i]!))
      }
    }
    found.set(JSON.stringify(by), { by, filled: [hits] })
  }
  return inOrder(found)
}
