import { z } from 'zod'
import { requesterOf } from '../access/requester-of.js'
import { callRecord } from '../calls/call-record.js'
import { readInBulk } from '../questions/export/read-in-bulk.js'
import { operation, StreamAnswer } from './operation.js'

/** All calls that a caller may hear, for a script of theirs. */
export const readCallsInBulk = operation({
  method: 'GET',
  url: '/api/v1/bulk/interactions',
  access: 'caller',
  textFree: true,
  // What an administrator reads so is an export of everything; a key has its own scope, and one of the full project was confirmed when it was minted.
  secondPerson: (_, __, who) => who !== undefined && 'source' in who && who.source !== 'application_key',
  summary: 'Read interactions in bulk',
  description:
    'Every call in scope, whole, as NDJSON: a line `{"cursor":…,"call":…}` each, in the order in which they were written, calls dated after now included. `cursor` of the last whole line goes on behind it: after a connection that broke, and on the next day, when it gives what came in, was replaced or was evaluated anew since. Calls that come in meanwhile are neither left out nor given twice; one that is replaced after it was given is given again, and the later line holds. Erased calls are not there any more. `x-total-count` says how many there were at the beginning. A cursor holds for the same credential and the same agents. An answer that breaks off is not whole: the connection ends without its last chunk.',
  query: z.strictObject({
    cursor: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .meta({ description: 'cursor of the last line that was read; from the beginning when absent' }),
  }),
  lines: z.strictObject({ cursor: z.string(), call: callRecord }),
  rows: answer => (answer instanceof StreamAnswer ? answer.total : 0),
  run: async ({ store, cursors, admission, importLimits, threads }, request, caller) => {
    const { cursor } = request.query()
    const share = admission.bulkReads.take(requesterOf(caller))
    try {
      const { total, lines } = await readInBulk(store, {
        caller,
        cursor,
        cursors: cursors(caller),
        recordBytes: importLimits.maxRecordBytes,
        threads,
        signal: request.signal,
      })
      lines.once('close', () => share.release())
      return new StreamAnswer(total, lines)
    } catch (error) {
      share.release()
      throw error
    }
  },
})
