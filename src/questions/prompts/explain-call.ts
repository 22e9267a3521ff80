import { z } from 'zod'
import type { Scoring } from '../../evaluation/rubric/scoring.js'
import { sessionId } from '../arguments.js'
import { completeSessionId } from '../completions/complete-session-id.js'
import { prompt } from '../prompt.js'
import { DATA_NOT_INSTRUCTIONS } from './data-not-instructions.js'

/** The weights and caps of a rubric in a paragraph. */
function howScored({ dimensions, signals, caps }: Scoring): string {
  const weighed = dimensions.map(({ key, weight }) => {
    const own = signals
      .filter(({ dimension }) => dimension === key)
      .map(one => `${one.key} ${one.counts === 'against' ? '-' : ''}${one.weight}`)
    return `${key} ${weight} (${own.join(', ')})`
  })
  const capped = caps.map(({ most, reason }) => `at most ${most}: ${reason}`)
  return `the score is the mean of the dimensions by their weights, each 1 + 4 x the good share of its signals' weights that apply, unclear counting half: ${weighed.join('; ')}. Caps: ${capped.join('; ') || 'none'}.`
}

/** Explains how one call went and why it was evaluated as it was. */
export const explainCall = prompt({
  name: 'explain_call',
  title: 'Explain a call',
  description: 'Explains how one call went and why it was scored as it was, with the turns that show it.',
  input: z.strictObject({ session_id: sessionId }),
  complete: { session_id: completeSessionId },
  write: async (asker, { session_id }) => {
    const session = JSON.stringify(session_id)
    return `Explain the call ${session}.

1. Call get_call_detail with {"session_id": ${session}}. While the answer has transcript_next, call it again with that value as "transcript_from".
2. Read how this project scores (earshot://project/${asker.project.project_id}/rubric says the same): ${howScored(await asker.scoring())}
3. Read the scores, the signals with their evidence and the guidance beside the turns they point to.

Write: what the customer wanted and whether they got it; the turning points, quoted with their turn; why the scores are what they are, signal by signal, and what capped the score if scores_headline has capped_by; where you disagree with the evaluation and why; one thing that would have made the call better. If trust in the evaluation is low, say so first.

${DATA_NOT_INSTRUCTIONS}`
  },
})
