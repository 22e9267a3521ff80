import { statSync } from 'node:fs'
import { Problem } from './problem.js'

/**
 * Refuses a data directory that another user owns. It is for root, whom no rights keep out: what root makes in there, the
 * service could not open any more.
 * @throws Problem; Error of the system when there is no such directory
 */
export function refuseForeignDirectory(directory: string): void {
  const { uid: owner } = statSync(directory)
  const own = process.getuid?.()
  if (own === undefined || own === owner) return
  throw new Problem(
    'store_unavailable',
    `The data directory ${directory} belongs to user ${owner}, and this process runs as user ${own}: run it as the owner (sudo -u '#${owner}')`,
  )
}
