import { errorCode } from '../base/error-code.js'
import { Problem } from '../base/problem.js'

/** What a file is called in errors. */
export const nameOf = (file: string) => (file === '-' ? 'standard input' : file)

/** A failure to read a file, for whoever named it. */
export function unreadable(file: string, error: unknown): Problem {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a directory',
    EACCES: 'it is not yours to read',
  }
  const reason = reasons[errorCode(error) ?? ''] ?? (error instanceof Error ? error.message : String(error))
  return new Problem('invalid_input', `${nameOf(file)} can't be read: ${reason}`)
}
