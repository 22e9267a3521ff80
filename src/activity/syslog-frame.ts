import { hostname } from 'node:os'
import type { ActivityRecord } from '../store/activity-record.js'

/** Facility "log audit" (RFC 5424, 6.2.1). */
const FACILITY = 13
const WARNING = 4
const INFORMATIONAL = 6

/** From it on numbers begin anew (RFC 5424, 7.3.1). */
const MOST_SEQUENCE = 2_147_483_647

/** Names of RFC 5424 are printable ASCII without blanks. */
const nameOf = (text: string, most: number): string => text.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, most) || '-'

/** An event as a message of syslog (RFC 5424), its octets counted ahead of it as TLS wants it (RFC 5425, 4.3). */
export function syslogFrame(event: ActivityRecord): Buffer {
  const priority = FACILITY * 8 + (event.outcome === 'ok' ? INFORMATIONAL : WARNING)
  const head = `<${priority}>1 ${event.at} ${nameOf(hostname(), 255)} earshot ${process.pid} ${nameOf(event.transport, 32)}`
  const sequence = ((event.seq - 1) % MOST_SEQUENCE) + 1
  const message = Buffer.from(`${head} [meta sequenceId="${sequence}"] ${JSON.stringify(event)}`)
  return Buffer.concat([Buffer.from(`${message.length} `), message])
}
