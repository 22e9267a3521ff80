import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import { escapeUnseen } from './base/text.js'

const STDERR_FD = 2

interface LogOptions {
  readonly level: string
  /** Default: pretty on a terminal, else json. */
  readonly format?: 'json' | 'pretty' | undefined
}

/** Whether the log is text for people. */
export function isForPeople(format: LogOptions['format']): boolean {
  return format === 'pretty' || (format === undefined && process.stderr.isTTY)
}

/**
 * The log, to stderr: stdout belongs to results. Written synchronously, so that the last lines before a crash are there.
 * Nothing that authenticates is ever logged; the redaction is the net beneath that rule.
 */
export function createLog({ level, format }: LogOptions): Logger {
  const destination = isForPeople(format)
    ? forTerminal(pretty({ destination: STDERR_FD, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }))
    : pino.destination({ dest: STDERR_FD, sync: true })
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      redact: {
        paths: ['authorization', 'headers.authorization', 'req.headers.authorization', 'key', 'token', 'secret'],
        censor: '[redacted]',
      },
    },
    destination,
  )
}

/** Lines of JSON become text for a terminal, which obeys what it finds in it: names and errors are other people's. */
function forTerminal(readable: { write(line: string): unknown }): pino.DestinationStream {
  const escape = (key: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    return key === 'stack' ? value.split('\n').map(escapeUnseen).join('\n') : escapeUnseen(value)
  }
  return { write: line => void readable.write(`${JSON.stringify(JSON.parse(line, escape))}\n`) }
}
