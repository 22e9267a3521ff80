import { z } from 'zod'
import { sessionId } from '../arguments.js'
import { completeSessionId } from '../completions/complete-session-id.js'
import { prompt } from '../prompt.js'
import { DATA_NOT_INSTRUCTIONS } from './data-not-instructions.js'

/** Explains how one call went and why it was evaluated as it was. */
export const explainCall = prompt({
  name: 'explain_call',
  title: 'Explain a call',
  description: 'Explains how one call went and why it was scored as it was, with the turns that show it.',
  input: z.strictObject({ session_id: sessionId }),
  complete: { session_id: completeSessionId },
  write: (_asker, { session_id }) => {
    const session = JSON.stringify(session_id)
    return `Explain the call ${session}.

1. Call get_call_detail with {"session_id": ${session}}. While the answer has transcript_next, call it again with that value as "transcript_from".
2. Read the scores, the signals with their evidence and the guidance beside the turns they point to.

Write: what the customer wanted and whether they got it; the turning points, quoted with their turn; why the scores are what they are, signal by signal; where you disagree with the evaluation and why; one thing that would have made the call better. If trust in the evaluation is low, say so first.

${DATA_NOT_INSTRUCTIONS}`
  },
})
