import { chmod, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../base/make-directory.js'
import { ifThere } from '../base/error-code.js'
import { syncDirectory } from '../base/sync-directory.js'

const SEGMENT = /^(\d{16})\.jsonl$/

/** The directory of the audit trail: one file a segment, named after the number of its first line. */
export class TrailFiles {
  readonly directory: string

  constructor(dataDir: string) {
    this.directory = join(dataDir, 'activity')
  }

  /** Makes the directory when it is not there, and closes it to others. */
  async prepare(): Promise<void> {
    const made = await makeDirectory(this.directory)
    await chmod(this.directory, 0o700)
    // Its name has to be on disk too, or a power failure takes the directory with all lines in it.
    if (made !== undefined) await syncDirectory(dirname(this.directory))
  }

  path(name: string): string {
    return join(this.directory, name)
  }

  /** Names of the segments, oldest first; none where the directory is gone. */
  async segments(): Promise<readonly string[]> {
    const entries = await ifThere(readdir(this.directory, { withFileTypes: true }))
    return (entries ?? [])
      .filter(entry => entry.isFile() && SEGMENT.test(entry.name))
      .map(entry => entry.name)
      .sort()
  }

  async remove(name: string): Promise<void> {
    await rm(this.path(name), { force: true })
  }

  /** Makes what was created or removed in the directory durable. */
  sync(): Promise<void> {
    return syncDirectory(this.directory)
  }
}

export function segmentName(firstSequence: number): string {
  return `${String(firstSequence).padStart(16, '0')}.jsonl`
}

/** The number a segment's first line has or would have. */
export function firstSequence(segment: string): number {
  return Number.parseInt(segment, 10)
}
