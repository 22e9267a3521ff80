import type { CallRecord } from '../../src/calls/call-record.js'

type Turn = NonNullable<CallRecord['transcript']>[number]

/**
 * A call from lines such as "a: Hello" and "c: Hi"; `@12.5-14` after the speaker gives a turn its times, and without any
 * turns follow each other by half a second at 15 characters a second.
 */
export function aCall(lines: readonly string[], fields: Partial<CallRecord> = {}): CallRecord {
  let clock = 1
  const transcript = lines.map((line, turn): Turn => {
    const [, who, times, text = ''] = /^([acs])(?:@(\S+))?: ?(.*)$/su.exec(line) ?? []
    const actor = who === 'a' ? 'agent' : who === 'c' ? 'customer' : 'system'
    if (times === 'none') return { turn, actor, text }
    const [start = clock, end = start + 0.5 + text.length / 15] = times?.split('-').map(Number) ?? []
    clock = end + 0.5
    return { turn, actor, text, start_s: start, end_s: end }
  })
  return { session_id: 's1', agent_name: 'Ana Ruiz', created_dt: '2026-03-01T12:00:00.000Z', transcript, ...fields }
}
