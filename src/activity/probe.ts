import { open } from 'node:fs/promises'
import type { TrailFiles } from './trail-files.js'

/** Room that must be there before the trail is called writable again, so that it doesn't come and go on a full disk. */
const ROOM = 256 * 1024

/** Writes and syncs a file of some size beside the segments; rejects when that can't be done. */
export async function probe(files: TrailFiles): Promise<void> {
  const handle = await open(files.path('probe'), 'w', 0o600)
  try {
    await handle.writeFile(Buffer.alloc(ROOM))
    await handle.datasync()
  } finally {
    await handle.close()
    await files.remove('probe')
  }
}
