import { errorCode } from './error-code.js'

/**
 * Why files cannot be read or written, as far as the system tells: one word for readiness, metrics and logs. The cause
 * itself holds paths and stays in the log.
 */
export type FaultClass = 'disk_full' | 'read_only' | 'no_descriptors' | 'damaged' | 'io_error'

// By the codes of Node's errors and by the texts of strerror(3), which is what the engine passes on.
const CLASSES: readonly (readonly [FaultClass, RegExp])[] = [
  ['disk_full', /\b(ENOSPC|EDQUOT|EFBIG)\b|No space left on device|quota exceeded|File too large/i],
  ['read_only', /\b(EROFS|EACCES|EPERM)\b|Read-only file system|Permission denied|Operation not permitted/i],
  ['no_descriptors', /\b(EMFILE|ENFILE)\b|Too many open files/i],
  ['damaged', /Could not read enough bytes|Corrupt database file/i],
]

/** What an operator can mend, in words that may leave the process; an `io_error` may be anything. */
export const FAULT_WORDS: Readonly<Partial<Record<FaultClass, string>>> = {
  disk_full: 'the disk is full',
  read_only: 'this user may not write there',
  no_descriptors: 'too many files are open',
  damaged: 'their content is damaged; restore a backup',
}

/** The class of a failure, looked for in it and in its causes. */
export function faultClass(error: unknown): FaultClass {
  const text = textOf(error)
  return CLASSES.find(([, pattern]) => pattern.test(text))?.[0] ?? 'io_error'
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${errorCode(error) ?? ''} ${error.message} ${error.cause === undefined ? '' : textOf(error.cause)}`
}
