import type { ActivityTransport } from '../store/activity-record.js'

/** A request that was answered, in what may be measured of it: nothing here names a project, an agent or a key. */
export interface MeasuredRequest {
  readonly transport: ActivityTransport
  /** A tool's name, a route or a URI template: one of a fixed list, never what a caller wrote. */
  readonly page: string
  readonly outcome: 'ok' | 'refused' | 'error'
  /** The stable word of the refusal or error. */
  readonly code?: string
  readonly seconds: number
}

/** Where transports say what they answered. */
export interface RequestMeter {
  /** A request that reached a page, however it ended. */
  answered(request: MeasuredRequest): void
  /** A request refused before it was known what it asks. */
  refused(transport: ActivityTransport, code: string): void
}
