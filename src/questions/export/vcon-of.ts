import { createHash } from 'node:crypto'
import type { CallRecord } from '../../calls/call-record.js'

/** The syntax of draft-ietf-vcon-vcon-core. */
const VCON_SYNTAX = '0.4.0'
const ROLES = ['agent', 'customer', 'system'] as const

/**
 * A call as a vCon, the IETF's container for conversations: who takes part, what was said turn by turn as text, and the
 * whole record as an analysis of ours, so that it comes back as it was. The same call is the same container.
 */
export function vconOf(call: CallRecord): Readonly<Record<string, unknown>> {
  const {
    session_id: id,
    agent_name: agent,
    customer_display_name: customer,
    created_dt: began,
    title,
    transcript = [],
  } = call
  const spoken = ROLES.filter(role => role !== 'system' || transcript.some(({ actor }) => actor === role))
  const names: Readonly<Record<string, string | undefined>> = { agent, customer }
  const start = Date.parse(began)
  return {
    vcon: VCON_SYNTAX,
    uuid: uuidOf(`${id}\n${began}`),
    created_at: began,
    ...(title !== undefined && { subject: title }),
    extensions: ['CC'],
    parties: spoken.map(role => ({ ...(names[role] !== undefined && { name: names[role] }), role })),
    dialog: transcript.map(({ actor, text, start_s: from = 0, end_s: to }) => ({
      type: 'text',
      start: new Date(start + Math.round(from * 1000)).toISOString(),
      ...(to !== undefined && { duration: Math.max(0, to - from) }),
      parties: [spoken.indexOf(actor)],
      originator: spoken.indexOf(actor),
      mediatype: 'text/plain',
      encoding: 'none',
      body: text,
    })),
    analysis: [
      {
        type: 'report',
        dialog: transcript.map((_, index) => index),
        vendor: 'earshot',
        product: 'earshot',
        schema: 'call-record',
        mediatype: 'application/json',
        encoding: 'json',
        body: JSON.stringify(call),
      },
    ],
    attachments: [],
  }
}

/** A UUID of version 8 (RFC 9562) made of a text: the same of the same. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
