import type { MintedKey } from '../../store/records/key.js'
import { keyLines } from './key-lines.js'

/** A new key for a reader, with the one sight of its token; where it names agents, how to see that they are the right ones. */
export function mintedLines(key: MintedKey): string {
  const shown = `${keyLines(key)}\n${key.key}\n\nThis is the only time the token is shown.\n`
  if (key.allowed_agents.length === 0) return shown
  return `${shown}Names are compared as they are spelled; what the key hears: earshot keys show ${key.key_id} --project ${key.project_id} --as-seen\n`
}
