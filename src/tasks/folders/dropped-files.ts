import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { formats } from '../../ingest/formats/formats.js'

/** Folders of a drop folder that hold what was dealt with. */
export const DONE = 'done'
export const FAILED = 'failed'

/** Names under which programs write what is not finished, and files that say something about others. */
const UNFINISHED = /(\.(part|partial|tmp|temp|filepart|crdownload|download|swp)|~)$/i

/** How long a file waits for the other one of its call, in milliseconds; then it is taken alone, and found faulty. */
const PAIR_WAIT_MS = 3_600_000

/** A file as it was found. */
export interface DroppedFile {
  /** Name within the drop folder, with slashes. */
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly changedMs: number
  readonly inode: number
}

/** Whether a name is of what is left alone without a word: hidden, or not finished. */
export function isPassedOver(name: string): boolean {
  const isHidden = name.split('/').some(part => /^\.(?!\.?$)/.test(part))
  return isHidden || name.endsWith('/') || UNFINISHED.test(name)
}

/**
 * What lies in a drop folder to be taken, in the order of names, and how many files are left alone: those that changed
 * less than `settleMs` ago, and those that wait for the other file of their call. Hidden files, links and files under
 * the names of unfinished downloads are not looked at.
 * @param now milliseconds since 1970
 */
export async function droppedFiles(
  folder: string,
  settleMs: number,
  now: number,
): Promise<{ readonly units: readonly (readonly DroppedFile[])[]; readonly waiting: number }> {
  const found = new Map<string, DroppedFile>()
  for await (const file of walk(folder, '')) found.set(file.path, file)
  // A clock that is behind the file system's: a time in the future is old enough when it stays the same.
  const isSettled = ({ changedMs }: DroppedFile) => now - changedMs >= settleMs || changedMs - now > settleMs
  const units: (readonly DroppedFile[])[] = []
  const taken = new Set<string>()
  let waiting = 0
  for (const file of found.values()) {
    if (taken.has(file.path)) continue
    const companion = companionOf(file.path)
    const other = companion === undefined ? undefined : found.get(companion)
    const unit = other === undefined ? [file] : [file, other]
    for (const one of unit) taken.add(one.path)
    const isAlone = companion !== undefined && other === undefined && now - file.changedMs < PAIR_WAIT_MS
    if (isAlone || !unit.every(isSettled)) waiting += unit.length
    else units.push(unit)
  }
  return { units, waiting }
}

/** Whether a file is still the one that was found, unchanged. */
export async function isUnchanged(file: DroppedFile): Promise<boolean> {
  const now = await fileAt(file.path, file.name)
  return now !== undefined && now.inode === file.inode && now.bytes === file.bytes && now.changedMs === file.changedMs
}

function companionOf(path: string): string | undefined {
  return formats.map(format => format.companion?.(path)).find(other => other !== undefined)
}

async function* walk(folder: string, prefix: string): AsyncGenerator<DroppedFile> {
  const entries = await readdir(folder, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name.startsWith('.') || (prefix === '' && (entry.name === DONE || entry.name === FAILED))) continue
    const path = join(folder, entry.name)
    const name = prefix + entry.name
    if (entry.isDirectory()) yield* walk(path, `${name}/`)
    else if (entry.isFile() && !UNFINISHED.test(entry.name)) {
      const file = await fileAt(path, name)
      if (file !== undefined) yield file
    }
  }
}

/** A file that may be gone by now. */
async function fileAt(path: string, name: string): Promise<DroppedFile | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isFile() !== true) return undefined
  return { name, path, bytes: found.size, changedMs: found.mtimeMs, inode: found.ino }
}
