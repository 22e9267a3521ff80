import { open } from 'node:fs/promises'
import type { TrailFiles } from './trail-files.js'

/** Takes from a segment what a failed write may have left behind its durable bytes; one without any is removed. */
export async function cutBack(files: TrailFiles, name: string, durableBytes: number): Promise<void> {
  if (durableBytes === 0) {
    await files.remove(name)
    return
  }
  const handle = await open(files.path(name), 'r+')
  try {
    await handle.truncate(durableBytes)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
