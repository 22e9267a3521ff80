import { z } from 'zod'
import type { Document } from '../pipeline/index.js'
import type { Asker } from './asker.js'
import { deviationIn, meanIn } from './counted.js'
import { callsByValue } from './calls-by-value.js'
import { defined } from './defined.js'
import { dimensionKind, driverKind, guidanceKind, type Kind, liftBandKind, signalKind } from './kinds.js'
import { exampleIds, mean } from './measures.js'
import type { Examples, FindExamples } from './newest-examples.js'
import { intervalSchema, scoreInterval } from './agent-rows.js'
import { readDocuments } from './read-document.js'
import { scoreBandKind, scoreBands } from './score-bands.js'
import type { SpreadPools } from './spread-pools.js'
import type { Window } from './window.js'
import { figure } from './figure.js'

/** How often something occurs, and where. */
export const countedSchema = z.strictObject({
  key: z.string(),
  display_name: z.string().optional(),
  calls: z.int(),
  share: figure.optional(),
  example_session_ids: exampleIds,
})

type Counted = z.infer<typeof countedSchema>

/** A reason for calls, with how its calls were handled. */
export const driverSchema = countedSchema.extend({
  average_score: figure.optional(),
  score_interval_95: intervalSchema('the average score'),
  scored_calls: z.int(),
})

/** Most entries of a list that an answer gives. */
export const MOST_TOP = 200

const row = z.object({ _id: z.unknown(), calls: z.int() })
type Row = z.infer<typeof row>

const bandRow = row.extend({ _id: z.int() })
const driverRow = row.extend({ average_score: mean, deviation: mean, scored_calls: z.int() })
type DriverRow = z.infer<typeof driverRow>

/** What tells how the calls of a reason were handled. */
const handledIn = (found: Document): Document => ({
  _id: found['_id'] ?? null,
  calls: found['calls'] ?? 0,
  average_score: meanIn(found, 'score'),
  deviation: deviationIn(found, 'score'),
  scored_calls: found['score_n'] ?? 0,
})

interface Listing {
  readonly kind: Kind
  readonly of: number
  readonly examples: Examples
  readonly nameOf?: (key: string) => string | undefined
}

const named = z.union([
  z.string(),
  z.object({ key: z.string(), value: z.string() }).transform(({ key, value }) => `${key}=${value}`),
])

function listed(rows: readonly Row[], { kind, of, examples, nameOf }: Listing): Counted[] {
  return rows.map(({ _id: id, calls }) => {
    const key = named.parse(id)
    return defined({
      key,
      display_name: nameOf && (nameOf(key) ?? key),
      calls,
      share: of > 0 ? calls / of : undefined,
      example_session_ids: examples(kind, id),
    })
  })
}

const band = z.strictObject({ calls: z.int(), example_session_ids: exampleIds })

/** Every band, also those without calls. */
export const liftBandsSchema = z
  .strictObject({
    strong_positive: band,
    positive: band,
    neutral: band,
    negative: band,
    strong_negative: band,
  })
  .meta({ description: 'Calls by how much better they went than calls in the same context' })

function liftBands(rows: readonly Row[], examples: Examples): z.infer<typeof liftBandsSchema> {
  const found = new Map(rows.map(({ _id: id, calls }) => [id, calls]))
  const of = (name: string) =>
    defined({ calls: found.get(name) ?? 0, example_session_ids: examples(liftBandKind, name) })
  return {
    strong_positive: of('strong_positive'),
    positive: of('positive'),
    neutral: of('neutral'),
    negative: of('negative'),
    strong_negative: of('strong_negative'),
  }
}

/** How many calls of a period have each score band, lift band, driver, signal, coaching entry and reading. */
export interface SummaryCounts {
  readonly scores: ReadonlyMap<number, number>
  readonly lifts: readonly Row[]
  readonly drivers: readonly DriverRow[]
  readonly signals: readonly Row[]
  readonly guidance: readonly Row[]
  readonly dimensions: readonly Row[]
}

/** Counts what the lists of a period are made of. */
export async function summaryCounts(asker: Asker, window: Window): Promise<SummaryCounts> {
  const kinds = ['score', 'lift_band', 'driver', 'signal', 'guidance', 'dimension'] as const
  const values = await callsByValue(asker, kinds, window.filter)
  const rows = (of: readonly Document[]) => readDocuments(row, of)
  return {
    scores: new Map(readDocuments(bandRow, values.score).map(({ _id: one, calls }) => [one, calls])),
    lifts: rows(values.lift_band),
    drivers: readDocuments(driverRow, values.driver.map(handledIn)),
    signals: rows(values.signal),
    guidance: rows(values.guidance),
    dimensions: rows(values.dimension),
  }
}

/** Score bands, drivers, signals, guidance, dimensions and lift bands of a period, commonest first, with examples. */
export async function summaryLists(
  asker: Asker,
  { scores, lifts, drivers, signals, guidance, dimensions }: SummaryCounts,
  totals: { readonly calls: number; readonly evaluated: number; readonly scored_calls: number },
  pools: SpreadPools,
  { top, find }: { readonly top: number; readonly find: FindExamples },
) {
  const { signals: signalCatalog, guidance: guidanceCatalog } = asker.catalogs
  const wanted = (kind: Kind, rows: readonly Row[]) => ({
    kind,
    of: rows.slice(0, top).map(({ _id: id, calls }) => ({ id, calls })),
  })
  const examples = await find([
    { kind: scoreBandKind, of: [...scores].map(([id, calls]) => ({ id, calls })) },
    { kind: liftBandKind, of: lifts.map(({ _id: id, calls }) => ({ id, calls })) },
    wanted(driverKind, drivers),
    wanted(signalKind, signals),
    wanted(guidanceKind, guidance),
    wanted(dimensionKind, dimensions),
  ])
  const list = (kind: Kind, rows: readonly Row[], listing: Omit<Listing, 'examples' | 'kind'>) =>
    listed(rows.slice(0, top), { kind, examples, ...listing })
  const of = totals.evaluated
  return {
    score_distribution: [...scoreBands(scores, totals.scored_calls, examples)],
    lift_bands: liftBands(lifts, examples),
    drivers: list(driverKind, drivers, { of: totals.calls }).map((one, at) =>
      defined({ ...one, ...scoresOf(drivers[at]!, pools) }),
    ),
    drivers_total: drivers.length,
    signals: list(signalKind, signals, { of, nameOf: key => signalCatalog.get(key)?.display_name }),
    signals_total: signals.length,
    guidance: list(guidanceKind, guidance, { of, nameOf: key => guidanceCatalog.get(key)?.display_name }),
    guidance_total: guidance.length,
    dimensions: list(dimensionKind, dimensions, { of }),
    dimensions_total: dimensions.length,
  }
}

function scoresOf(reason: DriverRow, pools: SpreadPools) {
  return {
    average_score: reason.average_score ?? undefined,
    score_interval_95: scoreInterval(reason, pools),
    scored_calls: reason.scored_calls,
  }
}
