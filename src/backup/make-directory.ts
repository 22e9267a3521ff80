import { errorCode } from '../base/error-code.js'
import { access, constants, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a directory (0700) and those above it, as `mkdir -p` does.
 * @returns the first directory that was made; undefined where all were there
 * @throws Error of the system
 */
export async function makeDirectory(directory: string): Promise<string | undefined> {
  try {
    return await mkdir(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    // What Node says of a file system that is read-only (20.20): that the directory is not there.
    if (errorCode(error) === 'ENOENT') await mayWriteAbove(directory)
    throw error
  }
}

/** Rejects with why nothing can be made in the nearest directory above that is there. */
async function mayWriteAbove(directory: string): Promise<void> {
  const parent = dirname(directory)
  const exists = await access(parent).then(
    () => true,
    () => false,
  )
  if (exists || parent === directory) await access(parent, constants.W_OK)
  else await mayWriteAbove(parent)
}
