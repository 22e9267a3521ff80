import { z } from 'zod'
import { eventNames } from './event-kinds.js'

/** Seconds that the secret before goes on signing after a rotation: a day, unless said otherwise; at most a week. */
const GRACE_S = 86_400
const MOST_GRACE_S = 7 * 86_400

const url = z
  .string()
  .max(2_048)
  .superRefine((text, context) => {
    const fault = faultOf(text)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
  })
  .transform(text => new URL(text).href)
  .meta({ description: 'Where events are sent: https; http only to this machine, where the configuration allows it' })

const events = z
  .array(z.enum(eventNames))
  .min(1)
  .max(100)
  .transform(names => [...new Set(names)])
  .meta({ description: 'Kinds of events it wants' })

/** What a new webhook is made of. */
export const newWebhook = z.strictObject({ url, events })
export type NewWebhook = z.output<typeof newWebhook>

/** What can change in a webhook. `active: false` pauses it. */
export const webhookPatch = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  active: z
    .boolean()
    .optional()
    .meta({ description: 'Whether it is told; while it is paused (false), it never hears what happens' }),
})
export type WebhookPatch = z.output<typeof webhookPatch>

/** How a signing secret is replaced. */
export const secretRotation = z.strictObject({
  grace_seconds: z
    .int()
    .min(0)
    .max(MOST_GRACE_S)
    .default(GRACE_S)
    .meta({ description: 'Seconds that the old secret signs too' }),
})

function faultOf(text: string): string | undefined {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (parsed === undefined || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) {
    return 'must be an https:// address'
  }
  if (parsed.username !== '' || parsed.password !== '') return 'must hold no user name or password'
  if (parsed.hash !== '') return 'must hold no fragment (#…)'
  if (parsed.port === '0') return 'must not have port 0'
  return undefined
}
