import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './error-code.js'

/**
 * Makes a directory (0700) and those above it, as `mkdir -p` does; Node's own way of that never ends where the system says of a directory
 * below one that is there that it is not (/proc), and calls a file system that is read-only so too.
 * @returns the first directory that was made; undefined where all were there
 * @throws Error of the system
 */
export async function makeDirectory(directory: string): Promise<string | undefined> {
  try {
    return (await makeOne(directory)) ? directory : undefined
  } catch (error) {
    const parent = dirname(directory)
    if (errorCode(error) !== 'ENOENT' || parent === directory) throw error
    const made = await makeDirectory(parent)
    await makeOne(directory)
    return made ?? directory
  }
}

/** @returns whether it was made; not where it was there, or another made it meanwhile */
async function makeOne(directory: string): Promise<boolean> {
  try {
    await mkdir(directory, { mode: 0o700 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(directory)).isDirectory()) return false
    throw error
  }
}
