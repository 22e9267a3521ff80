import type { ActivityRecord } from '../store/activity-record.js'

/** Activity ids of the class, as far as a page tells: reading, or anything else. */
const READ = 2
const OTHER = 99

/**
 * An event as API Activity (class 6003) of the Open Cybersecurity Schema Framework 1.3, https://schema.ocsf.io. What has no
 * place there stands under `unmapped`; addresses of clients are not on record.
 */
export function toOcsf(event: ActivityRecord): object {
  const { seq, at, request_id, source, credential_id, name, roles, transport, page, outcome, duration_ms } = event
  const { code, status, project_id, rows, bytes, session_hashes } = event
  const activity = transport === 'mcp' || page.startsWith('GET ') ? READ : OTHER
  return {
    class_uid: 6003,
    class_name: 'API Activity',
    category_uid: 6,
    category_name: 'Application Activity',
    activity_id: activity,
    activity_name: activity === READ ? 'Read' : 'Other',
    type_uid: 600_300 + activity,
    severity_id: 1,
    time: Date.parse(at),
    duration: Math.round(duration_ms),
    status_id: outcome === 'ok' ? 1 : 2,
    status: outcome === 'ok' ? 'Success' : 'Failure',
    ...(status !== undefined && { status_code: String(status) }),
    ...(code !== undefined && { status_detail: code }),
    metadata: {
      version: '1.3.0',
      product: { name: 'Earshot', vendor_name: 'Earshot' },
      sequence: seq,
      log_name: 'audit',
    },
    actor: {
      user: { uid: credential_id, name, type_id: 99, type: source, groups: roles.map(role => ({ name: role })) },
    },
    src_endpoint: { svc_name: transport },
    api: { operation: page, request: { uid: request_id } },
    unmapped: { project_id, rows, bytes, session_hashes },
  }
}
