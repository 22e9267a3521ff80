import { readFile } from 'node:fs/promises'
import { Problem } from '../base/problem.js'
import type { Through } from './copy-file.js'

/*
 * The age format (age-encryption.org/v1), by its own implementation in TypeScript, which encrypts and opens in pieces of
 * 64 KiB. Loaded when it is needed: few backups are made in the life of a process.
 */

/** What a sealed file is called beside its own name, as the tool `age` calls it. */
export const SEALED = '.age'

/** Seals to a recipient, `age1…`. @throws Problem `invalid_input` for what is none */
export async function sealingTo(recipient: string): Promise<Through> {
  const { Encrypter } = await import('age-encryption')
  const sealing = () => {
    const encrypter = new Encrypter()
    encrypter.addRecipient(recipient)
    return encrypter
  }
  try {
    sealing()
  } catch (error) {
    const refusal = new Problem(
      'invalid_input',
      'The recipient is none of age: it begins with age1, as age-keygen says',
    )
    refusal.cause = error
    throw refusal
  }
  return async plain => await sealing().encrypt(plain)
}

/** Opens with the identities of a file that age-keygen made. @throws Problem `invalid_input` for a file without one */
export async function openingWith(identityFile: string): Promise<Through> {
  const { Decrypter } = await import('age-encryption')
  const text = await readFile(identityFile, 'utf8').catch((error: unknown) => {
    const refusal = new Problem('invalid_input', `The identity file ${identityFile} cannot be read`)
    refusal.cause = error
    throw refusal
  })
  const identities = text.split(/\s*\n\s*/).filter(line => line.trim() !== '' && !line.startsWith('#'))
  const decrypter = new Decrypter()
  try {
    for (const identity of identities) decrypter.addIdentity(identity.trim())
  } catch {
    identities.length = 0
  }
  if (identities.length === 0)
    throw new Problem(
      'invalid_input',
      `${identityFile} holds no identity of age: a line that begins with AGE-SECRET-KEY-`,
    )
  return async sealed => await decrypter.decrypt(sealed)
}
