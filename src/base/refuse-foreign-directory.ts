import { statSync } from 'node:fs'
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
