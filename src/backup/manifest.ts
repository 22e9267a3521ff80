import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Problem } from '../base/problem.js'

/** Name of the file that is written last: a directory without it is no backup. */
export const MANIFEST = 'backup.json'

/** Folder of a backup with the copied files, as they lay in the data directory. */
export const FILES = 'data'

const FORMAT_VERSION = 1

const copiedFile = z.strictObject({
  path: z
    .string()
    .regex(/^(activity\/)?[a-z0-9][\w.-]*$/)
    .meta({ description: 'In the data directory' }),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

export type CopiedFile = z.infer<typeof copiedFile>

const manifest = z.strictObject({
  format: z.literal('earshot-backup'),
  format_version: z.literal(FORMAT_VERSION),
  program_version: z.string(),
  /** Of the store's tables: an older program refuses a newer one. */
  store_version: z.int().min(1),
  created_at: z.iso.datetime(),
  /** How long nothing was written, in milliseconds. */
  pause_ms: z.number().min(0),
  /** Rows of each table of the store. */
  counts: z.record(z.string(), z.int().min(0)),
  files: z.array(copiedFile).min(1),
})

export type Manifest = z.infer<typeof manifest>

export const newManifest = (rest: Omit<Manifest, 'format' | 'format_version'>): Manifest => ({
  format: 'earshot-backup',
  format_version: FORMAT_VERSION,
  ...rest,
})

/** What a backup says of itself. @throws Problem where there is no whole backup, or one of another format */
export async function readManifest(directory: string): Promise<Manifest> {
  const file = join(directory, MANIFEST)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const problem = new Problem(
      'not_found',
      `${directory} holds no whole backup: there is no ${MANIFEST} in it, which is written last`,
    )
    problem.cause = error
    throw problem
  })
  const head = z.object({ format_version: z.int() }).safeParse(json(text))
  if (head.success && head.data.format_version > FORMAT_VERSION) {
    throw new Problem('conflict', `The backup in ${directory} was made by a newer program: update this one`)
  }
  const read = manifest.safeParse(json(text))
  if (read.success) return read.data
  throw new Problem('conflict', `The backup in ${directory} is damaged: its ${MANIFEST} cannot be read`)
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
