import type { Upload } from './route.js'

/** Bytes up to which an upload is checked in the thread that answers; starting workers would take longer. */
const SMALL_BYTES = 256 * 1024
/** The same of a compressed one: transcripts take a tenth of their room, and what is made to deceive a hundredth. */
const SMALL_COMPRESSED_BYTES = 32 * 1024

/** Whether there is little in an upload, by the length it says it has. */
export function isSmall({ length, encoding }: Pick<Upload, 'length' | 'encoding'>): boolean {
  if (length === undefined) return false
  return length <= (encoding === 'identity' ? SMALL_BYTES : SMALL_COMPRESSED_BYTES)
}
