import { otherWork } from '../base/other-work.js'
import { z } from 'zod'
import { mapInTurns } from '../base/in-turns.js'
import { callRecord } from '../calls/call-record.js'
import { toPlain, type Value } from '../pipeline/index.js'
import { sessionId } from './arguments.js'
import { oneCall } from './one-call.js'
import { question } from './question.js'
import { WHOLE_RECORD } from './whole-record.js'

/**
 * One call whole, as import would take it again. Dates are in one spelling, fields in the schema's order: an unchanged
 * call is the same bytes at every reading.
 */
export const getInteraction = question({
  name: 'get_interaction',
  title: 'Get one interaction',
  description:
    'The whole call record: evaluation, signals, guidance, coaching summary, score and the full transcript, in the form import accepts. A call out of scope answers like one that does not exist.',
  rest: { url: '/api/v1/interactions/:interaction_id' },
  input: z.strictObject({ interaction_id: sessionId }),
  output: callRecord,
  answer: async (asker, { interaction_id: id }) => {
    const found = await oneCall(asker, id, { $project: WHOLE_RECORD })
    const record = await mapInTurns(found, value => inJson(toPlain(value as Value)))
    // What it is, the output schema checks before it leaves: in a turn of its own, as the record may be of many megabytes.
    await otherWork()
    return record as z.input<typeof callRecord>
  },
})

/** A plain value as JSON holds it: dates in the spelling of answers, and no field that is not there. */
function inJson(value: unknown): unknown {
  if (value instanceof Date) return value.toJSON()
  if (Array.isArray(value)) return value.map(inJson)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(fields.map(([name, one]) => [name, inJson(one)]))
}
