import { errorCode, ifThere } from '../base/error-code.js'
import { randomBytes } from 'node:crypto'
import { chmod, link, open, readFile, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from '../base/sync-directory.js'

/** Its text holds a path, and is for the operator: no Problem, which could leave the process. */
export class DamagedSecret extends Error {
  override readonly name = 'DamagedSecret'
}

/** 256 bits in base64url. */
export const SECRET = /^[\w-]{43}$/

/**
 * A generated secret of the installation, kept in a file of its owner's only (0600): 256 random bits as 43 characters
 * of base64url. Made on first use; of two processes that make it at once, one wins and both get the same.
 *
 * @throws DamagedSecret when the file holds anything else (a secret made anew in silence would end every token it signed)
 */
export async function secretFile(path: string): Promise<string> {
  const kept = await keptSecret(path)
  if (kept !== undefined) return kept
  await create(path)
  const made = await keptSecret(path)
  if (made === undefined) throw new Error(`The secret file ${path} vanished while it was made`)
  return made
}

/** Keeps a secret that is given, where none was made yet; gives back the one that is kept then. */
export async function givenSecretFile(path: string, text: string): Promise<string> {
  if ((await keptSecret(path)) === undefined) await create(path, text)
  return await secretFile(path)
}

/** The secret as it is kept, or nothing where none was made yet. @throws DamagedSecret */
export async function keptSecret(path: string): Promise<string | undefined> {
  const text = (await ifThere(readFile(path, 'utf8')))?.trim()
  if (text === undefined) return undefined
  if (!SECRET.test(text))
    throw new DamagedSecret(`The secret file ${path} is damaged; restore it, or remove it to have a new one`)
  // A restored backup or a copy may have come with wider rights.
  await chmod(path, 0o600)
  return text
}

/** Written and synced under another name first, then linked: the file is there whole or not at all. */
async function create(path: string, text = randomBytes(32).toString('base64url')): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${text}\n`)
    await file.sync()
    await link(draft, path)
    await syncDirectory(dirname(path))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await file.close()
    await unlink(draft)
  }
}
