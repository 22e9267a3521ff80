import { errorCode } from '../base/error-code.js'
import { Problem } from '../base/problem.js'

/** A failed copy in a sentence for the operator; what is a Problem already stays as it is. */
export function copyFailure(error: unknown, what: 'backup' | 'restore', directory: string): unknown {
  if (error instanceof Problem) return error
  const code = errorCode(error)
  // Said by the copying process.
  if (code === 'too_large') return new Problem(code, (error as Error).message)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Problem('store_unavailable', `The disk of ${directory} is full; nothing was kept of the ${what}`)
  }
  if (code === 'EROFS') {
    return new Problem(
      'store_unavailable',
      `${directory} lies on a file system that is read-only here: name it in ReadWritePaths= of the systemd unit, or mount it into the container`,
    )
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new Problem('store_unavailable', `${directory} cannot be written by this user`)
  }
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new Problem('conflict', `${directory} is not a directory of its own`)
  return error
}
