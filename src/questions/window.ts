import { z } from 'zod'
import { type DateRange, isoInstant, readRange } from '../base/window.js'
import type { Asker } from './asker.js'

/** The period an answer is over, as resolved. */
export const windowSchema = z
  .strictObject({
    from: z.string().optional().meta({ description: 'First instant; absent when there are no calls' }),
    to: z.string().meta({ description: 'End of the period' }),
    time_zone: z.string(),
  })
  .meta({ description: 'The period answered for, as resolved' })

export interface Window {
  readonly echo: z.infer<typeof windowSchema>
  /** The filter on the start of the call, for a $match. */
  readonly filter: { readonly created_dt: { readonly $gte?: Date; readonly $lt: Date } }
}

const NAMES = ['date_from', 'date_to'] as const

/**
 * Resolves the bounds a caller gave: none = from the first call in scope to now. Inside, the range is half-open; the
 * echoed end is the last instant covered where the caller named one.
 */
export async function resolveWindow(
  asker: Asker,
  bounds: { readonly date_from?: string | undefined; readonly date_to?: string | undefined },
  names: readonly [string, string] = NAMES,
): Promise<Window> {
  const zone = asker.project.timezone
  const range: DateRange = readRange(bounds.date_from, bounds.date_to, names, zone)
  const until = range.until ?? asker.now
  const from = range.from ?? (await firstCall(asker))
  return {
    echo: {
      ...(from === undefined ? {} : { from: isoInstant(from) }),
      to: isoInstant(range.until === undefined ? until : until - 1),
      time_zone: zone,
    },
    filter: {
      created_dt: { ...(range.from === undefined ? {} : { $gte: new Date(range.from) }), $lt: new Date(until) },
    },
  }
}

async function firstCall(asker: Asker): Promise<number | undefined> {
  const [first] = await asker.ask([{ $group: { _id: null, first: { $min: '$created_dt' } } }])
  const date = first?.['first']
  return date instanceof Date ? date.getTime() : undefined
}
