import { chmod, link, mkdir, readdir, readFile, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { CHAIN_KEY_FILE, ChainKey } from '../activity/chain-key.js'
import { errorCode } from '../base/error-code.js'
import { Problem } from '../base/problem.js'
import { refuseForeignDirectory } from '../base/own-directory.js'
import { syncDirectory } from '../base/sync-directory.js'
import { countRows } from '../store/duckdb/files/count-rows.js'
import { FILE, RESTORED, StoreFiles } from '../store/duckdb/files/store-files.js'
import { newestVersion } from '../store/duckdb/migrations/newest-version.js'
import { openingWith, SEALED } from './age.js'
import { copyFailure } from './copy-failure.js'
import { copyFile } from './copy-file.js'
import { makeDirectory } from '../base/make-directory.js'
import { type CopiedFile, FILES, type Manifest, readManifest } from './manifest.js'

export interface RestoreOptions {
  readonly directory: string
  /** Of nothing, or of an empty directory. */
  readonly dataDir: string
  /** A file with identities of age, for a sealed backup. */
  readonly identityFile?: string | undefined
  /** The key that has to have signed it; absent: that of the installation in it. */
  readonly signedBy?: string | undefined
  readonly onProgress: (done: { readonly copied: number; readonly total: number }) => void
}

export interface RestoreReport {
  readonly data_dir: string
  readonly created_at: string
  readonly calls: number
  readonly files: number
  readonly bytes: number
  /** Absent: an earlier program made it, which signed none. */
  readonly signed_by?: string
}

/**
 * Puts a backup into an empty data directory, every file held against its hash and the store against its counts.
 * Nothing is left of a restore that fails. Only where no server runs: there is none over an empty directory.
 * @throws Problem
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { directory, dataDir, onProgress, identityFile, signedBy } = options
  const manifest = await readManifest(directory)
  const { files, counts, created_at, signed_by: signer } = manifest
  if (signedBy !== undefined && signer !== signedBy) {
    throw new Problem('conflict', `The backup in ${directory} was signed by ${signer ?? 'nobody'}, not by ${signedBy}`)
  }
  const opening = await openingFor(manifest, directory, identityFile)
  await checkBackup(directory, manifest)
  const total = files.reduce((sum, file) => sum + (file.sealed ?? file).bytes, 0)
  const made = await prepare(dataDir, total)
  let before = 0
  try {
    await mkdir(join(dataDir, 'activity'), { mode: 0o700 })
    // The record of what was acknowledged first: with it there a start without the store is refused.
    const ordered = [...files].sort((a, b) => rank(a) - rank(b))
    for (const file of ordered) {
      const to = join(dataDir, file.path === FILE ? RESTORED : file.path)
      let copied = before
      const onBytes = (bytes: number) => onProgress({ copied: (copied += bytes), total })
      const { sealed } = file
      const from = join(directory, FILES, sealed === undefined ? file.path : file.path + SEALED)
      const through = sealed === undefined ? undefined : opening
      const read = await copyFile(from, { to, onBytes, through }).catch((error: unknown) => {
        // What the system says has a code; what can't be opened does not.
        if (through === undefined || errorCode(error) !== undefined) throw error
        throw damaged(directory, `${file.path} cannot be opened with this identity, or is not what was sealed`)
      })
      const { sha256 } = read.written ?? read
      if (sha256 !== file.sha256) throw damaged(directory, `${file.path} is not what was backed up`)
      before += (sealed ?? file).bytes
    }
    if (signer !== undefined && (await keyIn(dataDir)) !== signer) {
      throw damaged(directory, `it was not signed by the installation that is in it`)
    }
    const found = await countRows(join(dataDir, RESTORED))
    if (JSON.stringify(found) !== JSON.stringify(counts)) {
      throw damaged(directory, 'its store cannot be read to its end, or does not hold the rows it held')
    }
    // A power failure must not leave the store under its name without what belongs to it.
    await syncDirectory(join(dataDir, 'activity'))
    await syncDirectory(dataDir)
    await link(join(dataDir, RESTORED), join(dataDir, FILE))
    await rm(join(dataDir, RESTORED))
    await syncDirectory(dataDir)
    return {
      data_dir: dataDir,
      created_at,
      calls: counts['calls'] ?? 0,
      files: files.length,
      bytes: total,
      ...(signer !== undefined && { signed_by: signer }),
    }
  } catch (error) {
    await clear(dataDir, made)
    throw copyFailure(error, 'restore', dataDir)
  }
}

/** How sealed files are opened; undefined where none is. @throws Problem */
async function openingFor({ files }: Manifest, directory: string, identityFile: string | undefined) {
  if (files.every(({ sealed }) => sealed === undefined)) return undefined
  if (identityFile === undefined) {
    throw new Problem(
      'invalid_input',
      `The backup in ${directory} is sealed: name the file of your identity, --identity`,
    )
  }
  return await openingWith(identityFile)
}

/** The key that a restored installation signs with; undefined where its secret is not there. */
async function keyIn(dataDir: string): Promise<string | undefined> {
  const secret = await readFile(join(dataDir, CHAIN_KEY_FILE), 'utf8').catch(() => undefined)
  return secret === undefined ? undefined : new ChainKey(secret.trim()).publicKey
}

/** What can be told before anything is written. */
async function checkBackup(directory: string, { files, store_version: version }: Manifest): Promise<void> {
  if (version > newestVersion) {
    throw new Problem(
      'conflict',
      `The backup's store has version ${version} and this program knows versions up to ${newestVersion}: it was made by a newer program. Update this one`,
    )
  }
  if (!files.some(({ path }) => path === FILE)) throw damaged(directory, 'it holds no store')
  for (const { path, sealed, ...plain } of files) {
    const { bytes } = sealed ?? plain
    const found = await stat(join(directory, FILES, sealed === undefined ? path : path + SEALED)).catch(() => undefined)
    if (found === undefined) throw damaged(directory, `${path} is missing`)
    if (found.size !== bytes) throw damaged(directory, `${path} has ${found.size} bytes and had ${bytes}`)
  }
}

/** Gives back whether it made the directory. */
async function prepare(dataDir: string, bytes: number): Promise<boolean> {
  try {
    const made = await makeDirectory(dataDir)
    if (StoreFiles.at(dataDir).isHalfRestored()) {
      throw new Problem(
        'conflict',
        `The data directory ${dataDir} is not empty: a restore into it was cut off. Remove it and restore again`,
      )
    }
    if ((await readdir(dataDir)).length > 0) {
      throw new Problem('conflict', `The data directory ${dataDir} is not empty: restore into a new one, and swap them`)
    }
    refuseForeignDirectory(dataDir)
    await chmod(dataDir, 0o700)
    const { bavail, bsize } = await statfs(dataDir)
    if (bavail * bsize >= bytes) return made !== undefined
    if (made !== undefined) await rm(dataDir, { recursive: true })
    throw new Problem('store_unavailable', `There is not enough room in ${dataDir}: the backup takes ${bytes} bytes`)
  } catch (error) {
    throw copyFailure(error, 'restore', dataDir)
  }
}

async function clear(dataDir: string, made: boolean): Promise<void> {
  if (made) await rm(dataDir, { recursive: true, force: true })
  else for (const name of await readdir(dataDir)) await rm(join(dataDir, name), { recursive: true, force: true })
}

function rank({ path }: CopiedFile): number {
  if (path === 'earshot.acknowledged') return 0
  return path === FILE ? 2 : 1
}

function damaged(directory: string, how: string): Problem {
  return new Problem('conflict', `The backup in ${directory} is damaged: ${how}. Nothing was restored`)
}
