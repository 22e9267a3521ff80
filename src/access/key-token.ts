import { createHash, randomBytes } from 'node:crypto'

/** Every application key begins so: people, and scanners for leaked secrets, recognise it. */
export const KEY_PREFIX = 'esk_'

/** A new bearer token: 256 random bits in base64url behind the prefix (47 characters). */
export function newKeyToken(): string {
  return KEY_PREFIX + randomBytes(32).toString('base64url')
}

/** What is kept instead of the token. A plain hash suffices: 256 random bits can't be guessed from it. */
export function keyHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The shortened form that reads show: the first 8 and the last 4 characters. */
export function keyPreview(token: string): string {
  return `${token.slice(0, 8)}…${token.slice(-4)}`
}
