import { otherWork } from '../../base/other-work.js'
import { z } from 'zod'
import { type CountedBy, type PackedCount, SUMS_OF_ONE } from '../../pipeline/index.js'
import type { Outcome } from '../../statistics/periods/look.js'
import type { Asker, CountOptions } from '../asker.js'
import { askCounts, squaresOf, total } from '../counted.js'
import { dimensionKind, driverKind, guidanceKind, havingKind, type Kind, ratingKind, signalKind } from '../kinds.js'
import { readDocuments } from '../read-document.js'
import { settledApart, type SpansTogether } from '../settled.js'
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
  readonly pieces: number

  /** @param most of one agent in one piece; without it each piece has a number of its own */
  constructor(pieces: number, most?: number) {
    this.pieces = pieces
    this.#bits = most === undefined ? EXACT_BITS : Math.max(1, Math.ceil(Math.log2(most + 1)))
    this.#perNumber = Math.max(1, Math.floor(EXACT_BITS / this.#bits))
  }

  /** The numbers that hold a count. */
  fields(count: PackedCount['count']): readonly PackedCount[] {
    return Array.from({ length: Math.ceil(this.pieces / this.#perNumber) }, (_, number) => ({
      name: `${count}_${number}`,
      count,
      factors: Array.from({ length: this.pieces }, (_piece, piece) =>
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

/** Looked through as a whole: a list has hundreds of numbers, and there are thousands of lists. */
const numbers = z.custom<readonly number[]>(
  value => Array.isArray(value) && value.every(one => typeof one === 'number'),
  'must be numbers',
)
const totalsRow = z
  .object({ _id: z.object({ piece: z.int() }), ids: z.array(z.string()), names: z.array(z.string()) })
  .catchall(numbers)
const countedRow = z.object({ _id: z.unknown(), agents: numbers }).catchall(numbers)

type Agent = z.infer<typeof agentSchema>
const keyOfAgent = ({ agent_id: id, agent_name: name }: Agent) => `${name}\n${id}`

/** Agents by their place in the order of rows. */
interface AgentNumbers {
  readonly agents: readonly Agent[]
  readonly of: (agent: Agent) => number | undefined
}

const AGENT_ID = { $ifNull: ['$agent_id', ''] }

/** @param found an agent may be among them several times */
function numbered(found: readonly Agent[]): AgentNumbers {
  const known = new Map(found.map(agent => [keyOfAgent(agent), agent]))
  const sorted = [...known].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const byKey = new Map(sorted.map(([key], i) => [key, i]))
  return { agents: sorted.map(([, agent]) => agent), of: agent => byKey.get(keyOfAgent(agent)) }
}

/** Milliseconds after which others get their turn. */
const TURN_MS = 2

/** The time that work on this thread takes at a stretch. */
class Turns {
  #began = performance.now()

  /** Gives others their turn where it is over. */
  async next(): Promise<void> {
    if (performance.now() - this.#began < TURN_MS) return
    await otherWork()
    this.#began = performance.now()
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

  /** In memory that threads share: what is compared in another is not copied there. */
  empty(): Float64Array {
    const length = this.#agents * this.#width
    return new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT))
  }

  add(into: Float64Array, agent: number, piece: number, value: number): void {
    for (const column of this.#of[piece]!) into[agent * this.#width + column]! += value
  }

  /** Adds what a part has of a value: counts of its agents, the pieces of each. */
  addAll(into: Float64Array, { pieces, places }: Pick<Filling, 'pieces' | 'places'>, counts: Float64Array): void {
    for (const [at, piece] of pieces.entries()) {
      for (const column of this.#of[piece]!) {
        for (let agent = 0; agent < places.length; agent += 1)
          into[places[agent]! * this.#width + column]! += counts[agent * pieces.length + at]!
      }
    }
  }
}

/** The calls of some agents, of some trust. */
interface CallsCompared {
  readonly agents: readonly object[]
  readonly trust: TrustFilter
}

/** What was counted in a part: everything wanted, of its agents in the order of its roster. */
interface PartRead {
  readonly part: SpansTogether
  readonly agents: readonly Agent[]
  readonly totals: Awaited<ReturnType<typeof readTotals>>
  readonly values: readonly Values[]
  readonly ratings: readonly Values[]
}

/** Counts of each value, as they were found. */
interface Values {
  readonly count: PackedCount['count']
  readonly packing: Packing
  readonly documents: Documents
}

async function readPart(
  asker: Asker,
  part: SpansTogether,
  { agents: conditions, trust }: CallsCompared,
  wanted: { readonly shares: readonly ShareOf[]; readonly ratings: boolean },
): Promise<PartRead> {
  const among = conditions.length === 0 ? [] : [{ $match: { $and: conditions } }]
  const ask = async (by: CountedBy, stages: readonly object[], options: CountOptions) =>
    await askCounts(asker, by, trust, stages, { spans: part.spans, ...options, maxDocuments: MOST })
  const totals = await readTotals(async stages => await ask('agent', [...among, ...stages], {}))
  const { agents } = numbered(totals.flatMap(agentsIn))
  const most = totals.reduce((sum, { calls }) => calls!.reduce((a, b) => Math.max(a, b), sum), 0)
  const { length } = part.spans
  const [once, each] = [new Packing(length, most), new Packing(length)]
  const values = async (by: CountedBy, counts: readonly PackedCount['count'][], packing: Packing) => {
    const options = { packed: counts.flatMap(count => packing.fields(count)), roster: agents }
    const documents = await readValues(async stages => await ask(by, stages, options), by, options.packed)
    return counts.map((count): Values => ({ count, packing, documents }))
  }
  const together = RATED.length * length <= MOST_LISTS ? [RATED] : RATED.map(count => [count])
  const [ratings, shares] = await Promise.all([
    Promise.all(wanted.ratings ? together.map(counts => values('rating', counts, each)) : []),
    Promise.all(wanted.shares.map(({ by, kind, isOnce }) => values(by, [countOf(kind)], isOnce ? once : each))),
  ])
  return { part, agents, totals, values: shares.flat(), ratings: ratings.flat() }
}

/** How many ratings calls have, their sum and that of their squares. */
const RATED = ['score_n', 'score_sum', 'score_squares'] as const

/** Lists of one row that are asked for together: of more, rows are too large to be read quickly. */
const MOST_LISTS = 8

const countOf = ({ evaluatedOnly }: Kind) => (evaluatedOnly === true ? 'evaluated' : 'calls')

/** Counts everything of the wanted categories by agent and piece of time. */
export async function readPanel(
  asker: Asker,
  compared: PeriodsCompared,
  calls: CallsCompared,
  wanted: ReadonlySet<Category>,
): Promise<Panel> {
  const fields = new Map([
    ...(wanted.has('scores') || wanted.has('agents') ? [['score', 'score'] as const] : []),
    ...(wanted.has('scores') ? [['predicted_csat', 'csat'] as const] : []),
  ])
  const shares = SHARES.filter(({ category }) => wanted.has(category))
  const pieces = compared.pieces.map(({ from, until }) => ({ from: new Date(from), before: new Date(until) }))
  const read = await Promise.all(
    settledApart(asker, pieces).map(part => readPart(asker, part, calls, { shares, ratings: wanted.has('scores') })),
  )
  const { agents, of } = numbered(read.flatMap(one => one.agents))
  const columns = new Columns(compared, agents.length)
  const totals = read.flatMap(one =>
    one.totals.map(row => ({
      lists: row as Readonly<Record<string, unknown>>,
      piece: one.part.of[row._id.piece]!,
      places: agentsIn(row).map(agent => of(agent)!),
    })),
  )
  const into = (name: string, one = 1) => {
    const values = columns.empty()
    for (const { lists, piece, places } of totals) {
      const list = lists[name] as readonly number[]
      for (const [i, place] of places.entries()) columns.add(values, place, piece, list[i]!)
    }
    return divided(values, one)
  }
  const filled = async (valuesIn: (read: PartRead) => Values, one = 1) =>
    await filledWith(
      columns,
      read.map(part => ({ ...valuesIn(part), pieces: part.part.of, places: part.agents.map(agent => of(agent)!) })),
      one,
    )
  const all = into('calls')
  const evaluated = into('evaluated')
  const measured = [...fields].map(([field, name]): Measured => {
    const outcome: Outcome = {
      kind: 'mean',
      calls: into(`${name}_n`),
      sums: into(`${name}_sum`, SUMS_OF_ONE),
      squares: into(`${name}_squares`, SUMS_OF_ONE),
    }
    return { category: 'scores', key: field, kind: havingKind(field), id: null, outcome }
  })
  if (wanted.has('scores')) {
    const [n, sums, squares] = await Promise.all([
      filled(({ ratings }) => ratings[0]!),
      filled(({ ratings }) => ratings[1]!, SUMS_OF_ONE),
      filled(({ ratings }) => ratings[2]!, SUMS_OF_ONE),
    ])
    for (const [name, { by, values }] of n) {
      if (!values.some(one => one > 0)) continue
      // Calls may have come in between: what was not there at first is left out.
      const rest = (found: typeof n) => found.get(name)?.values ?? columns.empty()
      const outcome: Outcome = { kind: 'mean', calls: values, sums: rest(sums), squares: rest(squares) }
      const { key } = valueId.parse(by)
      measured.push({ category: 'scores', key, kind: ratingKind, id: key, outcome })
    }
  }
  for (const [i, { category, kind, keyOf, isOnce }] of shares.entries()) {
    const of = kind.evaluatedOnly === true ? evaluated : all
    // oxlint-disable-next-line no-await-in-loop -- each gives others their turn
    for (const { by, values: hits } of (await filled(({ values }) => values[i]!)).values()) {
      if (!hits.some(one => one > 0)) continue
      // A call may carry a reading twice.
      const sums = isOnce ? hits : atMost(hits, of)
      const outcome: Outcome = { kind: 'share', calls: of, sums, squares: sums }
      const id = idOf(by)
      measured.push({ category, key: keyOf(id), kind, id, outcome })
    }
  }
  return { agents, measured, calls: all, evaluated }
}

type Documents = Awaited<ReturnType<Asker['ask']>>

const agentsIn = ({ ids, names }: z.infer<typeof totalsRow>): readonly Agent[] =>
  ids.map((id, i) => ({ agent_id: id, agent_name: names[i]! }))

const TOTALS = { calls: total('calls'), evaluated: total('evaluated'), ...squaresOf('score'), ...squaresOf('csat') }

async function readTotals(count: (stages: readonly object[]) => Promise<Documents>) {
  const documents = await count([
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

/** The numbers of each value, as lists of those of its agents. */
async function readValues(
  count: (stages: readonly object[]) => Promise<Documents>,
  by: CountedBy,
  packed: readonly PackedCount[],
): Promise<Documents> {
  const names = packed.map(({ name }) => name)
  // What is never missing is put in order by itself.
  const fields = by === 'dimension' ? ['key', 'value'] : ['key']
  const value = Object.fromEntries(fields.map(name => [name, { $ifNull: [`$${name}`, ''] }]))
  const ofValue = Object.fromEntries(fields.map(name => [name, `$_id.${name}`]))
  return await count([
    {
      $group: { _id: { agent: '$agent', ...value }, ...Object.fromEntries(names.map(name => [name, total(name)])) },
    },
    { $group: { _id: ofValue, ...OF_AGENTS, ...asLists(names) } },
  ])
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

/** Values of a part, by the places of its agents among all, and its pieces. */
interface Filling extends Values {
  readonly pieces: readonly number[]
  readonly places: readonly number[]
}

/** Of each value, by its JSON and in the order of that. */
async function filledWith(columns: Columns, parts: readonly Filling[], one: number): Promise<Map<string, Filled>> {
  const found = new Map<string, Filled>()
  const turns = new Turns()
  for (const part of parts) {
    // oxlint-disable no-await-in-loop -- each gives others their turn
    for (const [name, { by, counts }] of await unpacked(part, part.places.length)) {
      const { values } = found.get(name) ?? { values: columns.empty() }
      found.set(name, { by, values })
      columns.addAll(values, part, counts)
      await turns.next()
    }
    // oxlint-enable no-await-in-loop
  }
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return new Map(sorted.map(([name, { by, values }]) => [name, { by, values: divided(values, one) }]))
}

/** Divides in place: a copy would not lie in memory that threads share. */
function divided(values: Float64Array, one: number): Float64Array {
  if (one !== 1) for (let i = 0; i < values.length; i += 1) values[i]! /= one
  return values
}

/** No more than others, in place. */
function atMost(values: Float64Array, others: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i += 1) values[i] = Math.min(values[i]!, others[i]!)
  return values
}

/** A value's counts: of the agents of a part one after the other, the pieces of each. */
interface Unpacked {
  readonly by: unknown
  readonly counts: Float64Array
}

/**
 * What was unpacked of documents, by the count: what is over is mostly found again, and is the same documents then. Which agents and pieces
 * they are of, and how they are packed, is part of what they were asked by.
 */
const UNPACKED = new WeakMap<Documents, Map<string, Promise<ReadonlyMap<string, Unpacked>>>>()

function unpacked(values: Values, agents: number): Promise<ReadonlyMap<string, Unpacked>> {
  const known = UNPACKED.get(values.documents) ?? new Map<string, Promise<ReadonlyMap<string, Unpacked>>>()
  UNPACKED.set(values.documents, known)
  const before = known.get(values.count)
  if (before !== undefined) return before
  const now = unpack(values, agents)
  known.set(values.count, now)
  return now
}

async function unpack({ count, packing, documents }: Values, agents: number): Promise<ReadonlyMap<string, Unpacked>> {
  const found = new Map<string, Unpacked>()
  const turns = new Turns()
  const { pieces } = packing
  const places = Array.from({ length: pieces }, (_, piece) => packing.placeOf(count, piece))
  for (const document of documents) {
    const { _id: by, agents: whose, ...lists } = readDocuments(countedRow, [document])[0]!
    const counts = new Float64Array(agents * pieces)
    for (const [piece, { name, read }] of places.entries()) {
      const packed = lists[name]!
      for (const [i, agent] of whose.entries()) counts[agent * pieces + piece] = read(packed[i]!)
    }
    found.set(JSON.stringify(by), { by, counts })
    // oxlint-disable-next-line no-await-in-loop -- that is the purpose
    await turns.next()
  }
  return found
}
