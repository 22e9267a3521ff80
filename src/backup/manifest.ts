import { createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ChainKey } from '../activity/chain-key.js'
import { Problem } from '../base/problem.js'

/** Name of the file that is written last: a directory without it is no backup. */
export const MANIFEST = 'backup.json'

/** Folder of a backup with the copied files, as they lay in the data directory. */
export const FILES = 'data'

/** 1: unsigned and never sealed, as earlier programs made them. */
const FORMAT_VERSION = 2

/** Stands before what is signed, so that no other text that this key signs is taken for it. */
const SIGNED_AS = 'earshot-backup\n'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const copiedFile = z.strictObject({
  path: z
    .string()
    .regex(/^(activity\/)?[a-z0-9][\w.-]*$/)
    .meta({ description: 'In the data directory' }),
  bytes: z.int().min(0),
  sha256,
  /** Of the file as it lies in the backup, sealed; absent: as it is. */
  sealed: z.strictObject({ bytes: z.int().min(0), sha256 }).exactOptional(),
})

export type CopiedFile = z.infer<typeof copiedFile>

const manifest = z.strictObject({
  format: z.literal('earshot-backup'),
  format_version: z.literal([1, FORMAT_VERSION]),
  program_version: z.string(),
  /** Of the store's tables: an older program refuses a newer one. */
  store_version: z.int().min(1),
  /** What was acknowledged before is in it. Earlier programs wrote when it was done. */
  created_at: z.iso.datetime(),
  /** How long nothing was written, in milliseconds. */
  pause_ms: z.number().min(0),
  /** Rows of each table of the store. */
  counts: z.record(z.string(), z.int().min(0)),
  files: z.array(copiedFile).min(1),
  /** Raw Ed25519 key of the installation, in base64url: the one that signs heads of its audit trail. */
  signed_by: z.string().exactOptional(),
})

const signed = manifest.extend({ signature: z.string().exactOptional() })

export type Manifest = z.infer<typeof manifest>

/** The manifest as it lies in the backup, signed. */
export function newManifest(
  rest: Omit<Manifest, 'format' | 'format_version' | 'signed_by'>,
  signer: Pick<ChainKey, 'publicKey' | 'sign'>,
): string {
  const said = manifest.parse({
    format: 'earshot-backup',
    format_version: FORMAT_VERSION,
    ...rest,
    signed_by: signer.publicKey,
  })
  return JSON.stringify({ ...said, signature: signer.sign(SIGNED_AS + JSON.stringify(said)) }, null, 2)
}

/** Whether it is as it was signed; one of an earlier program has no signature. */
function isAsSigned(said: Manifest, signature: string | undefined): boolean {
  const { format_version: version, signed_by: x } = said
  if (version === 1) return x === undefined && signature === undefined && said.files.every(file => !file.sealed)
  if (x === undefined || signature === undefined) return false
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, Buffer.from(SIGNED_AS + JSON.stringify(said)), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

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
  const read = signed.safeParse(json(text))
  if (read.success) {
    const { signature, ...said } = read.data
    if (isAsSigned(said, signature)) return said
    throw new Problem('conflict', `The backup in ${directory} is not as it was made: its ${MANIFEST} was changed`)
  }
  throw new Problem('conflict', `The backup in ${directory} is damaged: its ${MANIFEST} cannot be read`)
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
