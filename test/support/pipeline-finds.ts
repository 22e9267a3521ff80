import type { CallRecord } from '../../src/calls/call-record.js'

interface Find {
  readonly name: string
  readonly calls: readonly CallRecord[]
  readonly pipeline: readonly object[]
}

/** A call with what every call has. */
const call = (more: Partial<CallRecord> = {}): CallRecord => ({
  session_id: 'c0',
  agent_id: 'ana',
  agent_name: 'Ana',
  created_dt: '2026-03-01T00:00:00Z',
  ...more,
})

/** What long runs of the property test have found: mended, and kept. */
export const finds: readonly Find[] = [
  { name: 'a first one, to show the form', calls: [call()], pipeline: [{ $match: { score: { $exists: false } } }] },
]
