import { z } from 'zod'
import type { ActivityRecord } from '../store/activity-record.js'

// Control characters and what a terminal or log viewer may take for a line end.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

/**
 * Text of a bounded length, made fit instead of refused: an answer must not fail because a name is odd, and one line
 * that a table can't take would hold up all behind it.
 */
function text(longest: number): z.ZodType<string> {
  return z
    .string()
    .transform(value => value.toWellFormed().replace(CONTROL, '\u{fffd}').slice(0, longest).toWellFormed())
}

const count = z.int().min(0)

/** An event as it is handed to the trail, which gives it its number. Strict: a field nobody decided on can't get in. */
export const newActivityEvent = z.strictObject({
  at: z.iso.datetime({ precision: 3 }),
  request_id: text(100),
  source: z.enum(['application_key', 'admin_token', 'operator']),
  credential_id: text(500),
  name: text(500),
  project_id: text(100).exactOptional(),
  roles: z.array(text(40)).max(20),
  transport: z.enum(['mcp', 'rest', 'control', 'task']),
  page: text(200),
  outcome: z.enum(['ok', 'refused', 'error']),
  code: text(60).exactOptional(),
  status: z.int().min(100).max(599).exactOptional(),
  duration_ms: z.number().min(0),
  rows: count.exactOptional(),
  session_hashes: z.array(z.hex().length(32)).max(10).exactOptional(),
  bytes: count.exactOptional(),
})

export type NewActivityEvent = z.output<typeof newActivityEvent>

/** An event as it stands in the trail. Fields a newer program may have added are passed over. */
export const activityEvent = z.object({
  seq: z.int().min(1),
  ...newActivityEvent.shape,
}) satisfies z.ZodType<ActivityRecord>
