import type { CallRecord } from '../../src/calls/call-record.js'

/** A call of Ana's with what every record has, and the fields that a test is about. */
export function call(id: string, fields: Partial<CallRecord> = {}): CallRecord {
  return { session_id: id, agent_name: 'Ana', created_dt: '2026-03-01T10:00:00Z', ...fields }
}

/** The same, which came with an evaluation, of an agent whose id is the name in lower case. */
export function evaluatedCall(id: string, fields: Partial<CallRecord> = {}): CallRecord {
  const agent_id = (fields.agent_name ?? 'Ana').toLowerCase()
  return call(id, { agent_id, evaluation: { evaluator: 'imported' }, ...fields })
}
