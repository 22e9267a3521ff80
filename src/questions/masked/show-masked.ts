import { z } from 'zod'
import { mapInTurns } from '../../base/in-turns.js'
import { type Document, toPlain, type Value } from '../../pipeline/index.js'
import { WHOLE_RECORD } from '../whole-record.js'
import type { MaskTask } from './mask-calls.js'

/** Calls that are read and masked at a time: each may be of many megabytes. */
const CALLS_AT_ONCE = 16

/** What of a call a list or a detail may show, beside the record what a store derives of it without its texts. */
const SHOWN = { ...WHOLE_RECORD, _id: 1, duration_s: 1, signal_count: 1 }

/** What is known of a call that was chosen. */
export const chosenCall = z.object({ _id: z.string(), created_dt: z.date() })
type ChosenCall = z.output<typeof chosenCall>

interface Parts {
  /** Reads calls with their texts as they are. */
  read(stages: readonly object[]): Promise<readonly Document[]>
  mask(task: MaskTask): Promise<readonly Document[]>
}

/**
 * What a shape ($project or $unset) shows of calls that were chosen without their texts, made of their masked records, in their
 * order; one that was erased meanwhile is not there.
 */
export async function showMasked(
  chosen: readonly ChosenCall[],
  shape: object,
  parts: Parts,
): Promise<readonly Document[]> {
  const shown = new Map<string, Document>()
  for (let from = 0; from < chosen.length; from += CALLS_AT_ONCE) {
    const some = chosen.slice(from, from + CALLS_AT_ONCE)
    const times = some.map(({ created_dt: at }) => at.getTime())
    const these = {
      // The time says in which blocks of the store to look.
      created_dt: { $gte: new Date(Math.min(...times)), $lte: new Date(Math.max(...times)) },
      _id: { $in: some.map(({ _id: id }) => id) },
    }
    // oxlint-disable no-await-in-loop -- some after the others
    const calls = await plainCalls(await parts.read([{ $match: these }, { $project: SHOWN }]))
    const masked = await parts.mask({ calls, shape })
    // oxlint-enable no-await-in-loop
    for (const [i, call] of calls.entries()) shown.set(String(call['_id']), masked[i]!)
  }
  return chosen.map(({ _id: id }) => shown.get(id)).filter(document => document !== undefined)
}

/** Documents of a store as values that threads can be given. */
export async function plainCalls(documents: readonly Document[]): Promise<readonly Record<string, unknown>[]> {
  const calls: Record<string, unknown>[] = []
  // oxlint-disable-next-line no-await-in-loop -- in turns: a call may be of many megabytes
  for (const document of documents) calls.push(await mapInTurns(document, value => toPlain(value as Value)))
  return calls
}
