import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './error-code.js'

const OWNERS_ALONE = { mode: 0o700 }

/**
 * Makes a directory (0700) and those above it, as `mkdir -p` does; Node's own way of that never ends where the system says of a directory
 * below one that is there that it is not (/proc), and calls a file system that is read-only so too.
 * @returns the first directory that was made; undefined where all were there
 * @throws Error of the system
 */
export async function makeDirectory(directory: string): Promise<string | undefined> {
  try {
    await mkdir(directory, OWNERS_ALONE)
    return directory
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(directory)).isDirectory()) return undefined
    const parent = dirname(directory)
    if (errorCode(error) !== 'ENOENT' || parent === directory) throw error
    const made = await makeDirectory(parent)
    await mkdir(directory, OWNERS_ALONE).catch(async (again: unknown) => {
      // Another made it meanwhile.
      if (errorCode(again) !== 'EEXIST' || !(await stat(directory)).isDirectory()) throw again
    })
    return made ?? directory
  }
}
