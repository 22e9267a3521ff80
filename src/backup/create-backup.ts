import { existsSync } from 'node:fs'
import { open, readdir, realpath, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { isAbsolute, join, resolve, sep } from 'node:path'
import { z } from 'zod'
import type { FileAuditTrail } from '../activity/file-audit-trail.js'
import { headName } from '../activity/segment-head.js'
import { HEAD_FILE } from '../activity/trail-head.js'
import { Problem } from '../base/problem.js'
import { syncDirectory } from '../base/sync-directory.js'
import type { EmbeddedExtras, HeldStore, Store } from '../store/store.js'
import { SEALED, sealingTo } from './age.js'
import type { ChildOrder, ChildResult } from './child-order.js'
import { copyFailure } from './copy-failure.js'
import { makeDirectory } from '../base/make-directory.js'
import { type CopiedFile, FILES, MANIFEST, newManifest } from './manifest.js'
import { runChild } from './run-child.js'

export interface BackupParts {
  readonly dataDir: string
  readonly store: Pick<Store, 'load'>
  readonly embedded: EmbeddedExtras
  readonly trail: Pick<FileAuditTrail, 'files' | 'end' | 'headText' | 'signer'>
  readonly version: string
}

/** How far a backup has come, in bytes. */
export const backupProgress = z.strictObject({ copied: z.int(), total: z.int() })
type BackupProgress = Readonly<z.output<typeof backupProgress>>

export interface BackupOptions {
  /** An absolute path: of nothing, or of an empty directory. */
  readonly directory: string
  /** Everything but the manifest is sealed to this recipient of age; absent: nothing is. */
  readonly recipient?: string | undefined
  /** Longest time in milliseconds that copying the store may take, whose log grows meanwhile; the backup is given up when it is over. */
  readonly maxCopyMs: number
  readonly signal: AbortSignal
  readonly onProgress: (done: BackupProgress) => void
}

export const backupReport = z.strictObject({
  directory: z.string(),
  created_at: z.string(),
  calls: z.int(),
  files: z.int(),
  bytes: z.int(),
  pause_ms: z.number(),
  sealed: z.boolean(),
  signed_by: z.string(),
})
export type BackupReport = Readonly<z.output<typeof backupReport>>

/** Generated secrets of an installation: without them a restored one would know neither its webhooks nor its tokens. */
const SECRET = /^[\w-]+\.(key|secret)$/

/** Free bytes that have to stay. */
const FREE_BYTES_TO_LEAVE = 16 * 1024 * 1024

/**
 * Copies an installation while it runs: the store as of one instant, whose file is held as it is meanwhile, then the audit trail, which
 * only grows and so holds all the store knows of it, and the secrets. The copies are read again, their rows counted, and
 * only then the manifest says that it is a backup. Nothing is left of one that fails.
 * @throws Problem
 */
export async function createBackup(parts: BackupParts, options: BackupOptions): Promise<BackupReport> {
  const { directory, signal, onProgress, recipient } = options
  if (recipient !== undefined) await sealingTo(recipient)
  const seal = recipient === undefined ? {} : { recipient }
  const dataDir = await realpath(parts.dataDir)
  const made = await prepare(directory, dataDir, parts.store.load().bytes)
  const target = join(directory, FILES)
  const total = parts.store.load().bytes
  let before = 0
  const running = { signal, onBytes: (bytes: number) => onProgress({ copied: Math.min(before + bytes, total), total }) }
  const to = (path: string) => join(target, recipient === undefined ? path : path + SEALED)
  try {
    await makeDirectory(join(target, 'activity'))
    const { held, file } = await copyHeld(parts.embedded, dataDir, {
      to,
      seal,
      running,
      maxCopyMs: options.maxCopyMs,
      signal,
    })
    const record = await copyText(held.record.text, join(target, RECORD_DRAFT), held.record.name, { to, seal, running })
    const stored = [file, record]
    before = stored.reduce((sum, { bytes }) => sum + bytes, 0)
    // As of one instant: a head that says more than the segments hold would look like lines that were cut.
    const { end, headText } = parts.trail
    const beside = [...(await secretsOf(dataDir)), ...(await segmentsOf(dataDir, parts.trail.files, end))]
    const copies = beside.map(({ path, limit }) => ({ from: join(dataDir, path), to: to(path), ...limit }))
    const { digests } = await runChild({ ...seal, copies }, running)
    const head = await copyText(headText, join(target, HEAD_DRAFT), `activity/${HEAD_FILE}`, { to, seal, running })
    const files = [...stored, ...beside.map(({ path }, i) => copied(path, digests[i]!)), head]
    await verify(files, held, to, signal)
    const { at, version: store_version, counts, pausedMs } = held
    const created_at = at.toISOString()
    const rest = { program_version: parts.version, store_version, created_at, pause_ms: pausedMs, counts, files }
    await writeManifest(directory, newManifest(rest, parts.trail.signer))
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    return {
      directory,
      created_at,
      calls: counts['calls'] ?? 0,
      files: files.length,
      bytes,
      pause_ms: pausedMs,
      sealed: recipient !== undefined,
      signed_by: parts.trail.signer.publicKey,
    }
  } catch (error) {
    await rm(join(directory, MANIFEST), { force: true }).catch(() => undefined)
    await rm(made ? directory : target, { recursive: true, force: true }).catch(() => undefined)
    throw copyFailure(error, 'backup', directory)
  }
}

interface Copying {
  readonly to: (path: string) => string
  readonly seal: Pick<ChildOrder, 'recipient'>
  readonly running: Parameters<typeof runChild>[1]
}

/** A file of the manifest, of what the copying process says of it. */
function copied(path: string, { written, ...read }: ChildResult['digests'][number]): CopiedFile {
  return { path, ...read, ...(written !== undefined && { sealed: written }) }
}

async function copyHeld(
  embedded: EmbeddedExtras,
  dataDir: string,
  { to, seal, running, maxCopyMs, signal }: Copying & Pick<BackupOptions, 'maxCopyMs' | 'signal'>,
) {
  return await embedded.hold(async held => {
    const over = new AbortController()
    const limit = new Problem(
      'deadline_exceeded',
      `Copying the store took more than the ${maxCopyMs / 1000} s it may take; the backup was given up. Allow more with --max-copy`,
    )
    const timer = setTimeout(() => over.abort(limit), maxCopyMs)
    try {
      const { name, bytes } = held.file
      const copies = [{ from: join(dataDir, name), to: to(name), limit: bytes }]
      const { digests } = await runChild(
        { ...seal, copies },
        { ...running, signal: AbortSignal.any([signal, over.signal]) },
      )
      return { held, file: copied(name, digests[0]!) }
    } finally {
      clearTimeout(timer)
    }
  })
}

/** Makes the directory where there is none; gives back whether it did. @throws Problem */
async function prepare(directory: string, dataDir: string, bytes: number): Promise<boolean> {
  if (!isAbsolute(directory)) throw new Problem('invalid_input', 'The directory of a backup is an absolute path')
  const within = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}${sep}`)
  const made = await makeDirectory(resolve(directory)).catch((error: unknown) => {
    throw copyFailure(error, 'backup', directory)
  })
  const real = await realpath(directory)
  try {
    if (within(real, dataDir) || within(dataDir, real)) {
      throw new Problem('conflict', `The backup may not lie in the data directory ${dataDir}, nor that in it`)
    }
    if ((await readdir(real)).length > 0) {
      throw new Problem('conflict', `${directory} is not empty: a backup is made in a directory of its own`)
    }
    const { bavail, bsize } = await statfs(real)
    if (bavail * bsize < bytes + FREE_BYTES_TO_LEAVE) {
      throw new Problem(
        'store_unavailable',
        `There is not enough room for a backup in ${directory}: it takes ${bytes} bytes`,
      )
    }
  } catch (error) {
    if (made !== undefined) await rm(made, { recursive: true, force: true })
    throw copyFailure(error, 'backup', directory)
  }
  return made !== undefined
}

interface Beside {
  readonly path: string
  readonly limit?: { readonly limit: number }
}

async function secretsOf(dataDir: string): Promise<readonly Beside[]> {
  const names = (await readdir(dataDir)).filter(name => SECRET.test(name)).sort()
  return names.map(path => ({ path }))
}

/** The segments as far as they are durable, with their heads; what is written meanwhile is the next backup's. */
async function segmentsOf(
  dataDir: string,
  files: BackupParts['trail']['files'],
  end: BackupParts['trail']['end'],
): Promise<readonly Beside[]> {
  const names = await files.segments()
  return names
    .filter(name => name <= end.segment)
    .flatMap(name => {
      const path = `activity/${name}`
      if (name === end.segment) return [{ path, limit: { limit: end.bytes } }]
      const head = headName(path)
      return existsSync(join(dataDir, head)) ? [{ path }, { path: head }] : [{ path }]
    })
}

/** Where texts are written before they are copied like everything else. */
const HEAD_DRAFT = 'head.new'
const RECORD_DRAFT = 'record.new'

async function copyText(
  text: string,
  draft: string,
  path: string,
  { to, seal, running }: Copying,
): Promise<CopiedFile> {
  await writeFile(draft, text, { mode: 0o600 })
  const { digests } = await runChild({ ...seal, copies: [{ from: draft, to: to(path) }] }, running)
  await rm(draft)
  return copied(path, digests[0]!)
}

/** Reads what was copied again. @throws Error when it is not what was read */
async function verify(
  files: readonly CopiedFile[],
  held: HeldStore,
  to: (path: string) => string,
  signal: AbortSignal,
) {
  const isSealed = files.some(({ sealed }) => sealed !== undefined)
  // What is sealed nobody here can open: the rows are counted when it is restored.
  const count = isSealed ? {} : { count: to(held.file.name) }
  const order = { copies: files.map(({ path }) => ({ from: to(path) })), ...count }
  const { digests, counts } = await runChild(order, { signal, onBytes: () => undefined })
  const wrong = files.find(({ sealed, ...read }, i) => {
    const { bytes, sha256 } = sealed ?? read
    return digests[i]?.bytes !== bytes || digests[i].sha256 !== sha256
  })
  if (wrong !== undefined)
    throw new Problem('store_unavailable', `The copy of ${wrong.path} does not read as it was written`)
  if (!isSealed && counts === undefined) {
    throw new Problem(
      'store_unavailable',
      "The store's file is damaged: its copy can't be read to its end. No backup was made; keep those of before",
    )
  }
  if (!isSealed && JSON.stringify(counts) !== JSON.stringify(held.counts)) {
    throw new Problem('store_unavailable', 'The copy of the store does not hold as many rows as the store')
  }
}

async function writeManifest(directory: string, text: string): Promise<void> {
  const draft = join(directory, `${MANIFEST}.new`)
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${text}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  for (const folder of [join(directory, FILES, 'activity'), join(directory, FILES)]) await syncDirectory(folder)
  await rename(draft, join(directory, MANIFEST))
  await syncDirectory(directory)
}
