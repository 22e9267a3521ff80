import { z } from 'zod'
import type { Asker } from './asker.js'
import { defined } from './defined.js'
import { EXAMPLES, exampleIds } from './measures.js'
import { readDocuments } from './read-document.js'
import type { Window } from './window.js'

/** How often something occurs, and where. */
export const countedSchema = z.strictObject({
  key: z.string(),
  display_name: z.string().optional(),
  calls: z.int(),
  share: z.number().optional(),
  example_session_ids: exampleIds,
})

type Counted = z.infer<typeof countedSchema>

/** Most different values of a list that are read. */
const MOST = 100_000

const row = z.object({
  _id: z.union([
    z.string(),
    z.object({ key: z.string(), value: z.string() }).transform(({ key, value }) => `${key}=${value}`),
  ]),
  calls: z.int(),
  examples: z.array(z.string()),
})

interface ListOf {
  readonly field: string
  /** The value a call is counted under. */
  readonly by: unknown
  readonly unwind: boolean
}

async function counted(asker: Asker, window: Window, list: ListOf) {
  const documents = await asker.ask(
    [
      { $match: { ...window.filter, [list.field]: { $ne: null } } },
      { $project: { created_dt: 1, [list.field]: 1 } },
      ...(list.unwind ? [{ $unwind: `$${list.field}` }] : []),
      { $group: { _id: list.by, calls: { $sum: 1 }, examples: EXAMPLES } },
      { $sort: { calls: -1, _id: 1 } },
    ],
    { maxDocuments: MOST },
  )
  return readDocuments(row, documents)
}

function listed(
  rows: readonly z.infer<typeof row>[],
  {
    top,
    of,
    nameOf,
  }: { readonly top: number; readonly of: number; readonly nameOf?: (key: string) => string | undefined },
): Counted[] {
  return rows.slice(0, top).map(({ _id: key, calls, examples }) =>
    defined({
      key,
      display_name: nameOf && (nameOf(key) ?? key),
      calls,
      share: of > 0 ? calls / of : undefined,
      example_session_ids: examples,
    }),
  )
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

function liftBands(rows: readonly z.infer<typeof row>[]): z.infer<typeof liftBandsSchema> {
  const found = new Map(rows.map(one => [one._id, { calls: one.calls, example_session_ids: one.examples }]))
  const of = (name: string) => found.get(name) ?? { calls: 0, example_session_ids: [] }
  return {
    strong_positive: of('strong_positive'),
    positive: of('positive'),
    neutral: of('neutral'),
    negative: of('negative'),
    strong_negative: of('strong_negative'),
  }
}

/** Drivers, signals, guidance, dimensions and lift bands of a period, commonest first. */
export async function summaryLists(
  asker: Asker,
  window: Window,
  totals: { readonly calls: number; readonly evaluated: number },
  top: number,
) {
  const { signals: signalCatalog, guidance: guidanceCatalog } = asker.catalogs
  const of = totals.evaluated
  // One after the other: each takes all of the engine's threads, and together they would take its memory too.
  const drivers = await counted(asker, window, {
    field: 'interaction_driver',
    by: '$interaction_driver',
    unwind: false,
  })
  const signals = await counted(asker, window, { field: 'present_signals', by: '$present_signals', unwind: true })
  const guidance = await counted(asker, window, { field: 'guidance_keys', by: '$guidance_keys', unwind: true })
  const dimensions = await counted(asker, window, {
    field: 'dimensions',
    by: { key: '$dimensions.key', value: '$dimensions.value' },
    unwind: true,
  })
  const bands = await counted(asker, window, {
    field: 'outcome_lift.lift_band',
    by: '$outcome_lift.lift_band',
    unwind: false,
  })
  return {
    lift_bands: liftBands(bands),
    drivers: listed(drivers, { top, of: totals.calls }),
    drivers_total: drivers.length,
    signals: listed(signals, { top, of, nameOf: key => signalCatalog.get(key)?.display_name }),
    signals_total: signals.length,
    guidance: listed(guidance, { top, of, nameOf: key => guidanceCatalog.get(key)?.display_name }),
    guidance_total: guidance.length,
    dimensions: listed(dimensions, { top, of }),
    dimensions_total: dimensions.length,
  }
}
