import { z } from 'zod'
import { label } from '../../base/label.js'
import { printable } from '../../base/printable.js'
import { alertCondition } from './alert-condition.js'

/** Seconds an alert is silent after it was triggered: an hour, unless said otherwise; at most 30 days. */
const COOLDOWN_S = 3_600
const MOST_COOLDOWN_S = 30 * 86_400

const name = label(120).meta({ description: 'Label, 1 to 120 characters' })
const agents = z
  .array(printable(200))
  .max(1_000)
  .transform(names => [...new Set(names)])
  .meta({ description: 'Names of the agents it is about; all when empty' })
const cooldown = z
  .int()
  .min(0)
  .max(MOST_COOLDOWN_S)
  .meta({ description: 'Seconds it is silent after it was triggered' })

/** What a new alert is made of. */
export const newAlert = z.strictObject({
  name,
  condition: alertCondition,
  agents: agents.default([]),
  cooldown_seconds: cooldown.default(COOLDOWN_S),
})
export type NewAlert = z.output<typeof newAlert>

/** What can change in an alert. */
export const alertPatch = z.strictObject({
  name: name.optional(),
  condition: alertCondition.optional(),
  agents: agents.optional(),
  cooldown_seconds: cooldown.optional(),
  active: z.boolean().optional().meta({ description: 'Whether it can be triggered; false pauses it' }),
})
export type AlertPatch = z.output<typeof alertPatch>
