import type { MintedKey } from '../../access/key-view.js'
import { keyLines } from './key-lines.js'

/** A new key for a reader, with the one sight of its token. */
export function mintedLines(key: MintedKey): string {
  return `${keyLines(key)}\n${key.key}\n\nThis is the only time the token is shown.\n`
}
