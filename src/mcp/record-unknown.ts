import { refuseOnRecord } from '../access/refuse-on-record.js'
import type { Trail } from '../activity/audited.js'
import { Problem } from '../base/problem.js'
import type { Attendance } from './attend.js'

/**
 * Puts on record that something was asked for that there is not. What it was called stays out: a page of the trail is
 * never a caller's text. Rejects when the trail can't be written.
 */
export async function recordUnknown(
  trail: Trail,
  { caller, requestId }: Pick<Attendance, 'caller' | 'requestId'>,
  page: 'unknown tool' | 'unknown prompt' | 'unknown resource',
): Promise<void> {
  const refusal = new Problem('not_found', page)
  try {
    await refuseOnRecord(trail, refusal, caller, { page, requestId, transport: 'mcp' })
  } catch (error) {
    if (error !== refusal) throw error
  }
}
