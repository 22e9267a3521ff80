/** A signal's part in the score; of a negative one, absence is good. */
export interface Weight {
  readonly dimension: string
  readonly weight: number
  readonly negative: boolean
}

const good = (dimension: string, weight: number): Weight => ({ dimension, weight, negative: false })
const bad = (dimension: string, weight: number): Weight => ({ dimension, weight, negative: true })

/** The default rubric's weights, by signal without `sig.`, in the order in which records list them. */
export const rubricWeights: ReadonlyMap<string, Weight> = new Map([
  ['greeting_given', good('opening', 3)],
  ['brand_named', good('opening', 2)],
  ['agent_named', good('opening', 2)],
  ['help_offered', good('opening', 3)],
  ['reason_captured', good('listening', 2)],
  ['details_read_back', good('listening', 3)],
  ['repeat_requested', bad('listening', 2)],
  ['agent_interrupts', bad('listening', 3)],
  ['identity_verified', good('process', 3)],
  ['hold_requested', good('process', 0)],
  ['dead_air', bad('process', 3)],
  ['long_silence_share', bad('process', 2)],
  ['hold_thanked', good('courtesy', 1)],
  ['willingness_shown', good('courtesy', 3)],
  ['empathy_shown', good('courtesy', 3)],
  ['customer_frustrated', bad('courtesy', 2)],
  ['agent_rude', bad('courtesy', 5)],
  ['resolution_stated', good('resolution', 5)],
  ['customer_confirms', good('resolution', 3)],
  ['next_step_given', good('resolution', 1)],
  ['further_help_offered', good('closing', 4)],
  ['closing_courtesy', good('closing', 4)],
  ['escalation', good('context', 0)],
  ['callback_promised', good('context', 0)],
  ['cancel_intent', good('context', 0)],
  ['competitor_mentioned', good('context', 0)],
  ['repeat_contact', good('context', 0)],
  ['compliance_disclosure', good('context', 0)],
])

/** Weight of each quality dimension in the score. */
export const dimensionWeights: ReadonlyMap<string, number> = new Map([
  ['opening', 10],
  ['listening', 20],
  ['process', 15],
  ['courtesy', 20],
  ['resolution', 25],
  ['closing', 10],
])
