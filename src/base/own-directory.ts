import { chmodSync, existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from './error-code.js'
import { makeDirectory } from './make-directory.js'
import { Problem } from './problem.js'

const ROOT_UID = 0

/**
 * Refuses root a data directory that another user owns: no rights keep root out, and what it makes in there the service
 * could not open any more. Of others the system's rights decide: a volume of a cluster is root's, and its group may write.
 * @throws Problem; Error of the system when there is no such directory
 */
export function refuseForeignDirectory(directory: string): void {
  const { uid: owner } = statSync(directory)
  if (owner === ROOT_UID || process.getuid?.() !== ROOT_UID) return
  throw new Problem(
    'store_unavailable',
    `The data directory ${directory} belongs to user ${owner}, and this process runs as root: run it as the owner (sudo -u '#${owner}')`,
  )
}

/** Why this user can't close a directory to others, which only its owner may; undefined where that is this user, or root runs. */
export function foreignDirectory(directory: string): string | undefined {
  const { uid: owner } = statSync(directory)
  const user = process.geteuid?.()
  if (user === undefined || user === owner || user === ROOT_UID) return undefined
  return `belongs to user ${owner}, and user ${user} can't close it to others: give it to that one, or name a directory in it, such as ${join(directory, 'store')}`
}

/** Why the data directory can't be used, by the system's code. */
const FAULTS: Readonly<Record<string, string>> = {
  EROFS: 'is on a file system that is read-only here',
  EEXIST: 'is a file',
  ENOTDIR: 'lies in a file',
}

/**
 * Makes the data directory when it is not there and closes it to others. Gives back its path without links, so that one directory
 * has one name. @throws Problem when that can't be done
 */
export async function ownDirectory(directory: string): Promise<string> {
  try {
    await makeDirectory(directory)
    refuseForeignDirectory(directory)
    chmodSync(directory, 0o700)
    return realpathSync(directory)
  } catch (error) {
    if (error instanceof Problem) throw error
    const what =
      FAULTS[errorCode(error) ?? ''] ??
      brokenLink(directory) ??
      notOwned(error, directory) ??
      'cannot be made or is not yours'
    const problem = new Problem('store_unavailable', `The data directory ${directory} ${what}`)
    problem.cause = error
    throw problem
  }
}

function notOwned(error: unknown, directory: string): string | undefined {
  return errorCode(error) === 'EPERM' ? foreignDirectory(directory) : undefined
}

/** What of a path is a link that leads nowhere, such as to a volume that is not mounted; undefined where nothing is. */
export function brokenLink(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true || existsSync(path)) return undefined
  return `is a link to ${readlinkSync(path)}, which is not there`
}
