import { z } from 'zod'
import { callRecord } from '../calls/call-record.js'
import { toPlain } from '../pipeline/index.js'
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
  input: z.strictObject({ interaction_id: sessionId }),
  output: callRecord,
  answer: async (asker, { interaction_id: id }) => {
    const found = await oneCall(asker, id, { $project: WHOLE_RECORD })
    // JSON gives dates the spelling of answers; what it is, the output schema checks before it leaves.
    return JSON.parse(JSON.stringify(toPlain(found))) as z.input<typeof callRecord>
  },
})
