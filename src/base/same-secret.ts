import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether two secrets are equal, in a time that tells nothing of where or how much they differ. */
export function sameSecret(given: string, expected: string): boolean {
  // Hashes are of one length, which the comparison needs.
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
