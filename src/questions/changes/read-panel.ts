import { otherWork } from '../../base/other-work.js'
import { z } from 'zod'
import { type CountedBy, type PackedCount, SUMS_OF_ONE } from '../../pipeline/index.js'
import type { Outcome } from '../../statistics/compare-periods.js'
import type { Asker } from '../asker.js'
import { askCounts, squaresOf, total } from '../counted.js'
import { dimensionKind, driverKind, guidanceKind, havingKind, type Kind, ratingKind, signalKind } from '../kinds.js'
import { readDocuments } from '../read-document.js'
import type { TrustFilter } from '../trusted.js'
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

/**
 * Counts of several pieces of time in one number, each in bits of its own: reading costs by how many numbers there are. What all
 * add is exact as a double.
 */
class Packing {
  readonly #bits: number
  readonly #perNumber: number
  readonly #pieces: number

  /** @param most of one agent in one piece; without it each piece has a number of its own */
  constructor(pieces: number, most?: number) {
    this.#pieces = pieces
    this.#bits = most === undefined ? EXACT_BITS : Math.max(1, Math.ceil(Math.log2(most + 1)))
    this.#perNumber = Math.max(1, Math.floor(EXACT_BITS / this.#bits))
  }

  /** The numbers that hold a count. */
  fields(count: PackedCount['count']): readonly PackedCount[] {
    return Array.from({ length: Math.ceil(this.#pieces / this.#perNumber) }, (_, number) => ({
      name: `${count}_${number}`,
      count,
      factors: Array.from({ length: this.#pieces }, (_piece, piece) =>
        Math.floor(piece / this.#perNumber) === number ? this.#shift(piece) : 0,
      ),
    }))
  }

  /** Which number holds a piece's count, and the count in it. */
  placeOf(count: string, piece: number): { readonly name: string; readonly read: (packed: number) => number } {
    const name = `${count}_${Math.floor(piece / this.#perNumber)}`
    if (this.#perNumber === 1) return { name, read: packed => packed }
    const shift = this.#shift(piece)
    const room = 2 ** this.#bits
    return { name, read: packed => Math.floor(packed / shift) % room }
  }

  #shift(piece: number): number {
    return 2 ** (this.#bits * (piece % this.#perNumber))
  }
}

/** Bits of the whole numbers that a double holds exactly. */
const EXACT_BITS = 53

interface ShareOf {
  readonly category: Category
  readonly by: CountedBy
  readonly kind: Kind
  readonly keyOf: (id: unknown) => string
  /** A call has a value once at most. */
  readonly isOnce: boolean
}

const text = (id: unknown) => z.string().parse(id)
const dimension = z.object({ key: z.string(), value: z.string() })

const SHARES: readonly ShareOf[] = [
  { category: 'signals', by: 'signal', kind: { ...signalKind, evaluatedOnly: true }, keyOf: text, isOnce: true },
  { category: 'guidance', by: 'guidance', kind: { ...guidanceKind, evaluatedOnly: true }, keyOf: text, isOnce: true },
  { category: 'drivers', by: 'driver', kind: driverKind, keyOf: text, isOnce: true },
  {
    category: 'dimensions',
    by: 'dimension',
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

/** The calls of some agents, of some trust. */
interface CallsCompared {
  readonly agents: readonly object[]
  readonly trust: TrustFilter
}

/** Counts everything of the wanted categories by agent and piece of time. */
export async function readPanel(
  asker: Asker,
  compared: PeriodsCompared,
  { agents: conditions, trust }: CallsCompared,
  wanted: ReadonlySet<Category>,
): Promise<Panel> {
  const { pieces } = compared
  const spans = pieces.map(({ from, until }) => ({ from: new Date(from), before: new Date(until) }))
  const among = conditions.length === 0 ? [] : [{ $match: { $and: conditions } }]
  const count: Counting = async (by, stages, packed) =>
    await askCounts(asker, by, trust, [...among, ...stages], { spans, ...(packed && { packed }), maxDocuments: MOST })
  const fields = new Map([
    ...(wanted.has('scores') || wanted.has('agents') ? [['score', 'score'] as const] : []),
    ...(wanted.has('scores') ? [['predicted_csat', 'csat'] as const] : []),
  ])
  const totals = await readTotals(count)
  const agents = numbered(
    totals.flatMap(({ ids, names }) => ids.map((id, i) => ({ agent_id: id, agent_name: names[i]! }))),
  )
  const columns = new Columns(compared, agents.agents.length)
  const into = (name: string, one = 1) => {
    const values = columns.empty()
    for (const { _id, ids, names, ...lists } of totals) {
      for (const [i, value] of lists[name]!.entries()) {
        columns.add(values, agents.of({ agent_id: ids[i]!, agent_name: names[i]! })!, _id.piece, value / one)
      }
    }
    return values
  }
  const calls = into('calls')
  const evaluated = into('evaluated')
  const most = totals.reduce((sum, { calls: counts }) => counts!.reduce((a, b) => Math.max(a, b), sum), 0)
  const [once, each] = [new Packing(pieces.length, most), new Packing(pieces.length)]
  const shares = SHARES.filter(({ category }) => wanted.has(category))
  const filling = { columns, agents, pieces: pieces.length }
  const [ratings, ...counted] = await Promise.all([
    wanted.has('scores') ? readRatings(count, filling, each) : [],
    ...shares.map(async ({ by, kind, isOnce }) => {
      const of = kind.evaluatedOnly === true ? 'evaluated' : 'calls'
      const values = { by, count: of, packing: isOnce ? once : each } as const
      return await filledWith(filling, values, await readValues(count, agents, values))
    }),
  ])
  const measured = [...fields].map(([field, name]): Measured => {
    const outcome: Outcome = {
      kind: 'mean',
      calls: into(`${name}_n`),
      sums: into(`${name}_sum`, SUMS_OF_ONE),
      squares: into(`${name}_squares`, SUMS_OF_ONE),
    }
    return { category: 'scores', key: field, kind: havingKind(field), id: null, outcome }
  })
  for (const { key, n, sums, squares } of ratings) {
    const outcome: Outcome = { kind: 'mean', calls: n, sums, squares }
    measured.push({ category: 'scores', key, kind: ratingKind, id: key, outcome })
  }
  for (const [i, { category, kind, keyOf, isOnce }] of shares.entries()) {
    const of = kind.evaluatedOnly === true ? evaluated : calls
    for (const { by, values: hits } of counted[i]!) {
      if (!hits.some(one => one > 0)) continue
      // A call may carry a reading twice.
      const sums = isOnce ? hits : hits.map((one, at) => Math.min(one, of[at]!))
      const outcome: Outcome = { kind: 'share', calls: of, sums, squares: sums }
      const id = idOf(by)
      measured.push({ category, key: keyOf(id), kind, id, outcome })
    }
  }
  return { agents: agents.agents, measured, calls, evaluated }
}

type Documents = Awaited<ReturnType<Asker['ask']>>

/** Runs a pipeline over counts of the calls that are compared, each piece of time being a span. */
type Counting = (by: CountedBy, stages: readonly object[], packed?: readonly PackedCount[]) => Promise<Documents>

const TOTALS = { calls: total('calls'), evaluated: total('evaluated'), ...squaresOf('score'), ...squaresOf('csat') }

async function readTotals(count: Counting) {
  const documents = await count('agent', [
    { $group: { _id: { agent_id: AGENT_ID, agent_name: '$agent_name', piece: '$span' }, ...TOTALS } },
    {
      $group: {
        _id: { piece: '$_id.piece' },
        ids: { $push: '$_id.agent_id' },
        names: { $push: '$_id.agent_name' },
        ...asLists(Object.keys(TOTALS)),
      },
    },
  ])
  return readDocuments(totalsRow, documents)
}

/** A count of each value. */
interface Values {
  readonly by: CountedBy
  readonly count: PackedCount['count']
  readonly packing: Packing
}

async function readValues(count: Counting, { by: agent }: AgentNumbers, values: Values): Promise<Documents> {
  const packed = values.packing.fields(values.count)
  const names = packed.map(({ name }) => name)
  // What is never missing is put in order by itself.
  const fields = values.by === 'dimension' ? ['key', 'value'] : ['key']
  const by = Object.fromEntries(fields.map(name => [name, { $ifNull: [`$${name}`, ''] }]))
  const ofValue = Object.fromEntries(fields.map(name => [name, `$_id.${name}`]))
  return await count(
    values.by,
    [
      { $group: { _id: { agent, ...by }, ...Object.fromEntries(names.map(name => [name, total(name)])) } },
      { $group: { _id: ofValue, ...OF_AGENTS, ...asLists(names) } },
    ],
    packed,
  )
}

const ratingRow = z.object({ _id: z.object({ agent: z.string(), key: z.string() }) }).catchall(z.number())

interface Rating {
  readonly key: string
  readonly n: Float64Array
  readonly sums: Float64Array
  readonly squares: Float64Array
}

/** How many ratings calls have, their sum and that of their squares: rows, since all lists at once are too much of one. */
async function readRatings(
  count: Counting,
  { columns, agents, pieces }: Filling,
  packing: Packing,
): Promise<readonly Rating[]> {
  const packed = (['score_n', 'score_sum', 'score_squares'] as const).flatMap(one => packing.fields(one))
  const sums = Object.fromEntries(packed.map(({ name }) => [name, total(name)]))
  const _id = { agent: agents.by, key: { $ifNull: ['$key', ''] } }
  const found = new Map<string, Rating>()
  for await (const row of inTurns(ratingRow, await count('rating', [{ $group: { _id, ...sums } }], packed))) {
    const { agent: name, key } = row._id
    const agent = agents.numbers.get(name)
    if (agent === undefined) continue
    const rating = found.get(key) ?? { key, n: columns.empty(), sums: columns.empty(), squares: columns.empty() }
    found.set(key, rating)
    const add = (into: Float64Array, of: string, one: number, piece: number) => {
      const { name: field, read } = packing.placeOf(of, piece)
      columns.add(into, agent, piece, read((row as Readonly<Record<string, number>>)[field]!) / one)
    }
    for (let piece = 0; piece < pieces; piece += 1) {
      add(rating.n, 'score_n', 1, piece)
      add(rating.sums, 'score_sum', SUMS_OF_ONE, piece)
      add(rating.squares, 'score_squares', SUMS_OF_ONE, piece)
    }
  }
  return [...found.values()].filter(({ n }) => n.some(one => one > 0)).toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

const valueId = z.object({ key: z.string(), value: z.string().optional() })

/** The value of a kind: a key, or a pair. */
function idOf(by: unknown): unknown {
  const id = valueId.parse(by)
  return id.value === undefined ? id.key : id
}

interface Filled {
  readonly by: unknown
  readonly values: Float64Array
}

interface Filling {
  readonly columns: Columns
  readonly agents: AgentNumbers
  readonly pieces: number
}

/** In the order of the values as JSON. */
async function filledWith(
  { columns, agents, pieces }: Filling,
  { count, packing }: Values,
  documents: Documents,
): Promise<readonly Filled[]> {
  const found = new Map<string, Filled>()
  for await (const { _id: by, agents: whose, ...lists } of inTurns(countedRow, documents)) {
    const numbersOf = whose.map(name => agents.numbers.get(name))
    const values = columns.empty()
    for (let piece = 0; piece < pieces; piece += 1) {
      const { name, read } = packing.placeOf(count, piece)
      const packed = lists[name]!
      for (const [i, agent] of numbersOf.entries()) {
        if (agent !== undefined) columns.add(values, agent, piece, read(packed[i]!))
      }
    }
    found.set(JSON.stringify(by), { by, values })
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}
