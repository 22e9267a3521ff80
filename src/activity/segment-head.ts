import { open, readFile, rename, rm } from 'node:fs/promises'
import { z } from 'zod'
import { parsedJson } from '../base/parsed-json.js'
import type { ChainKey } from './chain-key.js'
import type { TrailFiles } from './trail-files.js'

/** What is signed of a segment that takes no more lines. */
const segmentHead = z.strictObject({
  segment: z.string().regex(/^\d{16}\.jsonl$/),
  /** Number and seal of its last line, and the seal that its first line follows. */
  last: z.int().min(0),
  mac: z.string(),
  previous: z.string(),
  bytes: z.int().min(0),
  sha256: z.hex().length(64),
  signed_at: z.iso.datetime({ precision: 3 }),
  /** Ed25519, raw, in base64url. */
  public_key: z.string(),
})

const signedHead = segmentHead.extend({ signature: z.string() })
export type SegmentHead = Readonly<z.output<typeof signedHead>>

/** The file that holds the head of a segment. */
export function headName(segment: string): string {
  return segment.replace(/\.jsonl$/, '.head')
}

/** A signed head as a line of JSON; the signature is over the same without it. */
export function signHead(head: Omit<SegmentHead, 'public_key' | 'signed_at' | 'signature'>, key: ChainKey): string {
  const whole = segmentHead.parse({ ...head, signed_at: new Date().toISOString(), public_key: key.publicKey })
  return headLine({ ...whole, signature: key.sign(JSON.stringify(whole)) })
}

export function headLine(head: SegmentHead): string {
  return `${JSON.stringify(head)}\n`
}

/**
 * Reads a signed head; `undefined` when it does not say what was signed, or was signed by another. Whoever kept it may have written
 * its JSON anew: blanks and the order of fields say nothing.
 */
export function openHead(line: string, key: ChainKey): SegmentHead | undefined {
  const read = signedHead.safeParse(parsedJson(line))
  if (!read.success) return undefined
  const { signature, ...head } = read.data
  return head.public_key === key.publicKey && key.isSigned(JSON.stringify(head), signature) ? read.data : undefined
}

/** The head of a segment: `missing`, as an empty file is too, or `false` when it is not as it was signed. */
export async function readSegmentHead(
  files: TrailFiles,
  segment: string,
  key: ChainKey,
): Promise<SegmentHead | 'missing' | 'false'> {
  try {
    const text = await readFile(files.path(headName(segment)), 'utf8')
    return text === '' ? 'missing' : (openHead(text, key) ?? 'false')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing'
    throw error
  }
}

/** Writes the head of a segment whole or not at all: on a full disk the one of before stays. */
export async function writeSegmentHead(files: TrailFiles, segment: string, line: string): Promise<void> {
  const path = files.path(headName(segment))
  const draft = `${path}.new`
  try {
    await writeDurably(draft, line, 'w')
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
  await files.sync()
}

/** Adds a head to a file elsewhere, one a line: what whoever holds this machine can't take back. */
export async function anchorHead(file: string, line: string): Promise<void> {
  await writeDurably(file, line, 'a')
}

async function writeDurably(path: string, text: string, flag: 'w' | 'a'): Promise<void> {
  const handle = await open(path, flag, 0o600)
  try {
    await handle.writeFile(text)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
