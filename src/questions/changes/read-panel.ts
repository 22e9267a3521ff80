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

/** Most rows of agents with values that are read. */
const MOST = 1_000_000

const agentSchema = z.object({ agent_id: z.string(), agent_name: z.string() })

/** Which piece of time a call is in, as an expression: comparisons, the newest first. */
function pieceOf(pieces: readonly Span[]): unknown {
  return pieces.reduce<unknown>(
    (older, { from }, piece) => ({ $cond: [{ $gte: ['$created_dt', new Date(from)] }, piece, older] }),
    -1,
  )
}

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

/** One accumulator a piece. */
function perPiece(pieces: readonly Span[], name: string, of: (isIn: object) => object) {
  return Object.fromEntries(pieces.map((_, i) => [`${name}${i}`, of({ $eq: ['$piece', i] })]))
}

const counting = (isIn: object, condition?: object) => ({
  $sum: { $cond: [condition === undefined ? isIn : { $and: [isIn, condition] }, 1, 0] },
})
const summing = (isIn: object, value: unknown) => ({ $sum: { $cond: [isIn, value, null] } })

/** Counts, sums and sums of squares of a value, piece by piece. */
const momentsOf = (pieces: readonly Span[], name: string, field: string) => ({
  ...perPiece(pieces, `${name}_n`, isIn => counting(isIn, { $gt: [field, null] })),
  ...perPiece(pieces, `${name}_s`, isIn => summing(isIn, field)),
  ...perPiece(pieces, `${name}_q`, isIn => summing(isIn, { $multiply: [field, field] })),
})

type Row = Readonly<Record<string, number>>
const rowSchema = z.object({ _id: agentSchema }).catchall(z.number())
const keyedRow = z.object({ _id: agentSchema.extend({ by: z.unknown() }) }).catchall(z.number())

const AGENT = { agent_id: '$agent_id', agent_name: '$agent_name' }

interface ShareOf {
  readonly category: Category
  readonly kind: Kind
  readonly keyOf: (id: unknown) => string
}

const text = (id: unknown) => z.string().parse(id)
const dimension = z.object({ key: z.string(), value: z.string() })

const SHARES: readonly ShareOf[] = [
  { category: 'signals', kind: { ...signalKind, evaluatedOnly: true }, keyOf: text },
  { category: 'guidance', kind: { ...guidanceKind, evaluatedOnly: true }, keyOf: text },
  { category: 'drivers', kind: driverKind, keyOf: text },
  {
    category: 'dimensions',
    kind: { ...dimensionKind, evaluatedOnly: true },
    keyOf: id => {
      const { key, value } = dimension.parse(id)
      return `${key}=${value}`
    },
  },
]

/** Reads rows into arrays of agents and columns. */
class Filler {
  readonly #columns: readonly (readonly number[])[]
  readonly #agents: number

  constructor({ columns }: PeriodsCompared, agents: number) {
    this.#columns = columns
    this.#agents = agents
  }

  empty(): Float64Array {
    return new Float64Array(this.#agents * this.#columns.length)
  }

  fill(into: Float64Array, agent: number, row: Row, name: string): void {
    for (const [column, pieces] of this.#columns.entries()) {
      let sum = 0
      for (const piece of pieces) sum += row[`${name}${piece}`] ?? 0
      into[agent * this.#columns.length + column] = sum
    }
  }
}

const agentKey = ({ agent_id: id, agent_name: name }: z.infer<typeof agentSchema>) => `${name}\n${id}`

/** Counts everything of the wanted categories by agent and piece of time. */
export async function readPanel(
  asker: Asker,
  compared: PeriodsCompared,
  conditions: readonly object[],
  wanted: ReadonlySet<Category>,
): Promise<Panel> {
  const { pieces } = compared
  const from = (more: readonly object[] = []) => inPieces(pieces, [...conditions, ...more])
  const piece = pieceOf(pieces)
  const wantsMeans = wanted.has('scores') || wanted.has('agents')
  const shares = SHARES.filter(({ category }) => wanted.has(category))
  const asking = async (stages: readonly object[]) => await asker.ask(stages, { maxDocuments: MOST })
  const [totals, ratings, ...counted] = await Promise.all([
    asking([
      from(),
      {
        $project: {
          ...AGENT,
          piece,
          is_evaluated: { $gt: ['$evaluation', null] },
          ...(wantsMeans && { score: 1, predicted_csat: 1 }),
        },
      },
      {
        $group: {
          _id: AGENT,
          ...perPiece(pieces, 'calls', isIn => counting(isIn)),
          ...perPiece(pieces, 'evaluated', isIn => counting(isIn, { $eq: ['$is_evaluated', true] })),
          ...(wantsMeans && momentsOf(pieces, 'score', '$score')),
          ...(wanted.has('scores') && momentsOf(pieces, 'csat', '$predicted_csat')),
        },
      },
    ]),
    wanted.has('scores')
      ? asking([
          from(isOf(ratingKind)),
          { $project: { ...AGENT, piece, ...readBy(ratingKind) } },
          ...eachOf(ratingKind),
          { $group: { _id: { ...AGENT, by: ratingKind.by }, ...momentsOf(pieces, 'value', '$scores.value') } },
        ])
      : [],
    ...shares.map(({ kind }) =>
      asking([
        from(isOf(kind)),
        { $project: { ...AGENT, piece, ...readBy(kind) } },
        ...eachOf(kind),
        { $group: { _id: { ...AGENT, by: kind.by }, ...perPiece(pieces, 'hits', isIn => counting(isIn)) } },
      ]),
    ),
  ])
  const rows = readDocuments(rowSchema, totals).toSorted((a, b) => (agentKey(a._id) < agentKey(b._id) ? -1 : 1))
  const agents = rows.map(({ _id }) => _id)
  const numbers = new Map(agents.map((agent, i) => [agentKey(agent), i]))
  const filler = new Filler(compared, agents.length)
  const filled = (name: string) => {
    const values = filler.empty()
    for (const [agent, { _id: _, ...row }] of rows.entries()) filler.fill(values, agent, row, name)
    return values
  }
  const moments = (name: string): Outcome => ({
    kind: 'mean',
    calls: filled(`${name}_n`),
    sums: filled(`${name}_s`),
    squares: filled(`${name}_q`),
  })
  const calls = filled('calls')
  const evaluated = filled('evaluated')
  const measured: Measured[] = []
  const mean = (key: string, field: string, outcome: Outcome) =>
    measured.push({ category: 'scores', key, kind: havingKind(field), id: null, outcome })
  if (wantsMeans) mean('score', 'score', moments('score'))
  if (wanted.has('scores')) mean('predicted_csat', 'predicted_csat', moments('csat'))
  for (const [by, found] of byKey(keyedRow, ratings)) {
    const outcome: Outcome = { kind: 'mean', calls: filler.empty(), sums: filler.empty(), squares: filler.empty() }
    for (const { _id, ...row } of found) {
      const agent = numbers.get(agentKey(_id))
      if (agent === undefined) continue
      filler.fill(outcome.calls, agent, row, 'value_n')
      filler.fill(outcome.sums, agent, row, 'value_s')
      filler.fill(outcome.squares, agent, row, 'value_q')
    }
    measured.push({ category: 'scores', key: text(JSON.parse(by)), kind: ratingKind, id: JSON.parse(by), outcome })
  }
  for (const [i, { category, kind, keyOf }] of shares.entries()) {
    for (const [by, found] of byKey(keyedRow, counted[i]!)) {
      const sums = filler.empty()
      for (const { _id, ...row } of found) {
        const agent = numbers.get(agentKey(_id))
        if (agent !== undefined) filler.fill(sums, agent, row, 'hits')
      }
      const id: unknown = JSON.parse(by)
      const of = kind.evaluatedOnly === true ? evaluated : calls
      const outcome: Outcome = { kind: 'share', calls: of, sums, squares: sums }
      measured.push({ category, key: keyOf(id), kind, id, outcome })
    }
  }
  return { agents, measured, calls, evaluated }
}

type KeyedRow = z.infer<typeof keyedRow>

/** Rows by what they are of, as JSON, in its order. */
function byKey(schema: typeof keyedRow, documents: Awaited<ReturnType<Asker['ask']>>) {
  const found = new Map<string, KeyedRow[]>()
  for (const row of readDocuments(schema, documents)) {
    const key = JSON.stringify(row._id.by)
    const rows = found.get(key)
    if (rows === undefined) found.set(key, [row])
    else rows.push(row)
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
