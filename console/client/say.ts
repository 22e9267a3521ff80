import type { z } from 'zod'
import type { newFeedback } from '../../src/events/feedback-fields.js'
import { send } from './ask.js'

/** What somebody says of a call, its score, a signal, a turn, or of what another said. */
export type Saying = z.input<typeof newFeedback>

/** Says it; what the same key said of the same before is replaced. @throws Refusal, Unreachable */
export async function say(sessionId: string, saying: Saying): Promise<void> {
  await send(`/api/v1/interactions/${encodeURIComponent(sessionId)}/feedback`, { method: 'POST', body: saying })
}
