import { createHash, randomBytes } from 'node:crypto'

/** Every application key begins so: people, and scanners for leaked secrets, recognise it. */
export const KEY_PREFIX = 'esk_'

/** Every invitation begins so. */
export const INVITATION_PREFIX = 'inv_'

/** A new secret: 256 random bits in base64url behind its prefix (47 characters). */
export function newToken(prefix: typeof KEY_PREFIX | typeof INVITATION_PREFIX): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** What is kept instead of a token. A plain hash suffices: 256 random bits can't be guessed from it. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The shortened form that reads show: the first 8 and the last 4 characters. */
export function tokenPreview(token: string): string {
  return `${token.slice(0, 8)}…${token.slice(-4)}`
}
