import { MongoBulkWriteError, MongoError, MongoServerError } from 'mongodb'
import { errorCode } from '../../base/error-code.js'
import { Problem } from '../../base/problem.js'
import { whyUnreachable } from './why-unreachable.js'

/** Codes of errors by which a server says who may not do what. */
const UNAUTHORIZED: ReadonlySet<unknown> = new Set([13, 18])
/** And that it is no primary, any more or yet: 91 and 11600 where it shuts down, 189 and 11602 where it steps down. */
const NO_PRIMARY: ReadonlySet<unknown> = new Set([91, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436])
/** That a write was done, and no majority of its members has it: it may be undone yet. */
const NO_MAJORITY: ReadonlySet<unknown> = new Set([64, 100])
/** And that a router of a sharded cluster does not know which shard is meant. */
const NO_SHARD: ReadonlySet<unknown> = new Set([61, 72])
const DISK_FULL = 14_031
/**
 * Codes of a socket that ends while it is written to. The driver (7.9) tells such an error as its own only where it is thrown at once,
 * and else as Node had it: `Connection.writeCommand` waits for `drain` with nothing around it.
 */
const BROKEN: ReadonlySet<string> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

const unavailable = (message: string) => new Problem('store_unavailable', message)

/** Whether a server does nothing at all at the moment, whatever is asked of it: it steps down, starts or ends, or asks who is there. */
export const isAway = (code: number): boolean => NO_PRIMARY.has(code) || UNAUTHORIZED.has(code)

/** What the driver says of a server, or a socket of its. */
export const isOfServer = (error: unknown): boolean => error instanceof MongoError || isBroken(error)

const isBroken = (error: unknown): boolean => !(error instanceof Problem) && BROKEN.has(errorCode(error) ?? '')

/** Why a store's server did not do what was asked of it, in a sentence for its operator. */
export function storeProblem(error: unknown, where: string): Problem {
  const problem = sentence(causeOf(error), where)
  problem.cause = error
  return problem
}

/** Of several writes that broke off: what each of them alone would have come to. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof MongoBulkWriteError)) return error
  const { errorResponse } = error as { readonly errorResponse: unknown }
  return errorResponse instanceof Error ? errorResponse : error
}

function sentence(error: unknown, where: string): Problem {
  const code = error instanceof MongoServerError ? Number(error.code) : undefined
  if (UNAUTHORIZED.has(code)) {
    const refused =
      code === 18
        ? 'does not take the name and password of its address'
        : 'asks for a name and password that may read and write its database'
    return new Problem('forbidden', `The store at ${where} ${refused}`)
  }
  if (NO_PRIMARY.has(code)) {
    return unavailable(`The store at ${where} is choosing another primary; ask again in some seconds`)
  }
  if (NO_MAJORITY.has(code)) {
    return unavailable(
      `No majority of the store at ${where} has what was written, and it may be undone; see which of its members are away, and ask again`,
    )
  }
  if (code === DISK_FULL) {
    return unavailable(`The store at ${where} has no room left on its disk; nothing can be written`)
  }
  if (NO_SHARD.has(code)) {
    return unavailable(
      `The store at ${where} has a collection sharded by another key than _id, and takes nothing so; see docs/many-machines.md`,
    )
  }
  const file = fileNamed(error)
  if (file !== undefined) return new Problem('invalid_input', file)
  const name = error instanceof Error ? error.name : ''
  const reason = whyUnreachable(error)
  if (name.startsWith('MongoNetwork') || name.includes('PoolCleared') || isBroken(error)) {
    return unavailable(`The connection to the store at ${where} broke${reason}`)
  }
  if (name === 'MongoServerSelectionError' || reason !== '') {
    return unavailable(`The store at ${where} does not answer${reason}`)
  }
  return unavailable(`The store at ${where} does not do what is asked of it`)
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is none',
  EACCES: 'this process may not read it',
  EISDIR: 'it is a directory',
}

/** Of a file that the address names and the driver could not read: what is wrong with it. */
function fileNamed(error: unknown): string | undefined {
  const code = errorCode(error)
  if (!(error instanceof Error) || code === undefined || !('path' in error) || !('syscall' in error)) return undefined
  const why = UNREADABLE[code] ?? code
  return `The address of the store names a file, ${String(error.path)}, that cannot be read (${why}); see tlsCAFile and tlsCertificateKeyFile in it`
}
