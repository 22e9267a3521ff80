import type { Prompt } from '../prompt.js'
import { coachAgent } from './coach-agent.js'
import { explainCall } from './explain-call.js'
import { weeklyReview } from './weekly-review.js'

/** Every prompt, in the order to list them. */
export const prompts: readonly Prompt[] = [coachAgent, weeklyReview, explainCall]
