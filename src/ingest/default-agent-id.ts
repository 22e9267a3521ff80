import { createHash } from 'node:crypto'

/** Longest slug: with `-` and a hash of up to 12 hex digits it stays within the 200 characters of an id. */
const SLUG_LENGTH = 180

/** The words of a name in lower case, joined by `-`; marks belong to their letters, as most scripts of India need. */
export function slugOf(agentName: string): string {
  const words =
    agentName
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.join('-').slice(0, SLUG_LENGTH).toWellFormed()
}

/** The slug with `-` and so many hex digits of the name's SHA-256: for names without letters, or with another's slug. */
export function hashedIdOf(agentName: string, digits: number): string {
  const hash = createHash('sha256').update(agentName).digest('hex')
  return `${slugOf(agentName)}-${hash.slice(0, digits)}`
}
