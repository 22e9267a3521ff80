import type { Logger } from 'pino'
import { DamagedSecret } from '../access/secret-file.js'
import { type FaultClass, faultClass } from '../base/fault-class.js'
import { Problem } from '../base/problem.js'
import { visibleText } from '../base/text.js'
import { ConfigError } from '../config.js'
import { exitCode } from './exit-code.js'
import { UsageError } from './usage-error.js'

/** What the operator can mend, in the words of docs/operator.md; the system's own say where it was. */
const FAULTS: Readonly<Partial<Record<FaultClass, string>>> = {
  disk_full: 'The disk is full: make room',
  read_only: 'A file or directory that is needed is not this user’s to read or write',
  no_descriptors: 'Too many files are open: raise the limit (ulimit -n)',
}

/** A failure that the log has told of. */
export class LoggedFailure extends Error {
  override readonly name = 'LoggedFailure'

  constructor(failure: unknown) {
    super('The log says what went wrong', { cause: failure })
  }
}

/** Tells a log of machines what ended a server, in one line: its last one is no other than those before. */
export function logFailure(error: unknown, log: Pick<Logger, 'fatal'>): LoggedFailure {
  const lines = knownLinesOf(error)
  if (lines === undefined) log.fatal({ err: error }, 'Earshot failed')
  else log.fatal(lines.join(' '))
  return new LoggedFailure(error)
}

/** Says on stderr what went wrong, and answers the exit code for it. With `json`, as one line of JSON. */
export function reportFailure(error: unknown, json: boolean): number {
  if (error instanceof LoggedFailure) return codeOf(error.cause)
  const lines = linesOf(error)
  process.stderr.write(
    json ? `${JSON.stringify({ error: lines.join('\n') })}\n` : visibleText(`${lines.join('\n')}\n`).text,
  )
  return codeOf(error)
}

function codeOf(error: unknown): number {
  return isUsage(error) ? exitCode.usage : exitCode.failed
}

function isUsage(error: unknown): boolean {
  if (error instanceof Problem) return error.code === 'invalid_input'
  return error instanceof UsageError || error instanceof ConfigError
}

function linesOf(error: unknown): readonly string[] {
  // A failure nobody foresaw: whoever runs the command is the operator, so the cause may be shown whole.
  return knownLinesOf(error) ?? [error instanceof Error ? (error.stack ?? error.message) : String(error)]
}

/** What there is a sentence for. */
function knownLinesOf(error: unknown): readonly string[] | undefined {
  if (error instanceof ConfigError) return error.problems
  if (error instanceof UsageError) return [error.message, 'See earshot --help, or --help after the command.']
  if (error instanceof Problem || error instanceof DamagedSecret) return [error.message]
  const known = error instanceof Error && 'code' in error ? FAULTS[faultClass(error)] : undefined
  if (known !== undefined && error instanceof Error) return [`${known} (${error.message})`]
  return undefined
}
