import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'
import { hidden, record, shown } from './record.js'

/** By whose scheme requests are signed. */
export const INBOUND_KINDS = ['standard', 'twilio', 'genesys', 'eventbridge'] as const

/** An address of a project's that another product sends calls to as they happen. */
export const inboundWebhook = record({
  webhook_id: shown(z.string()),
  project_id: shown(z.string()),
  name: shown(z.string()),
  kind: shown(z.enum(INBOUND_KINDS).meta({ description: 'By whose scheme requests are signed' })),
  mapping: shown(z.string().exactOptional().meta({ description: 'Saved mapping by which its bodies are read' })),
  /** Sealed with a key that is not in the store. */
  secret: hidden(z.string()),
  created_at: shown(z.string()),
  created_by: shown(z.string()),
})
export type InboundWebhookRecord = Immutable<z.output<typeof inboundWebhook.stored>>
export type InboundKind = InboundWebhookRecord['kind']
