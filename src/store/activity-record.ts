/** Through which door a request came; `task` is a scheduled task's own. */
export type ActivityTransport = 'mcp' | 'rest' | 'control' | 'task'

/**
 * Who asked what, when, and how it ended. Never content, arguments, tokens or plain session ids: whoever reads this
 * learns nothing about a customer.
 */
export interface ActivityRecord {
  /** Its number in the audit trail: counts up, never used twice. The order of events, also where clocks went back. */
  readonly seq: number
  /** When the request came in, ISO 8601 in UTC with milliseconds. */
  readonly at: string
  readonly request_id: string
  readonly source: 'application_key' | 'admin_token' | 'operator'
  /** The key's key_id, or the administrator's subject. */
  readonly credential_id: string
  /** The key's name or the administrator's e-mail, as of the request. */
  readonly name: string
  /** Absent where a request belongs to no project, such as a SuperAdmin listing them all. */
  readonly project_id?: string
  /** The roles at the time of the act. */
  readonly roles: readonly string[]
  readonly transport: ActivityTransport
  /** A tool's name, a route or a URI template; never a path with an id in it. */
  readonly page: string
  /** refused: an answer the caller's request led to (no right, not found, bad input); error: a failure of ours. */
  readonly outcome: 'ok' | 'refused' | 'error'
  /** The stable word of the refusal or error. */
  readonly code?: string
  /** The HTTP status, or the one the refusal stands for. */
  readonly status?: number
  readonly duration_ms: number
  /** Rows, calls or documents in the answer, where it is a list; of a line for many refusals over a rate, how many they were. */
  readonly rows?: number
  /** Keyed hashes of the session ids asked about. */
  readonly session_hashes?: readonly string[]
  /** Size of the answer. */
  readonly bytes?: number
}
