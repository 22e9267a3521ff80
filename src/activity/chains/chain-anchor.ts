import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { parsedJson } from '../../base/parsed-json.js'
import type { ChainKey } from '../chain-key.js'
import { Repeated } from '../repeated.js'
import type { TrailLog } from '../trail-log.js'
import type { TrailFinding } from '../verify-trail.js'
import type { ChainSink } from './chain-sink.js'

/** Lines that are cut from the end of a chain are found by what was anchored last. Milliseconds. */
const ANCHOR_EVERY_MS = 60_000

/** What is signed of a chain, as far as it goes by then. */
const chainHead = z.strictObject({
  chain: z.int().min(1),
  /** The last line, within the chain, and its seal. */
  last: z.int().min(1),
  mac: z.string(),
  signed_at: z.iso.datetime({ precision: 3 }),
  /** Ed25519, raw, in base64url. */
  public_key: z.string(),
})
const signedHead = chainHead.extend({ signature: z.string() })
export type ChainHead = Readonly<z.output<typeof signedHead>>

/** A signed head as a line of JSON; the signature is over the same without it. */
export function signChainHead(head: Pick<ChainHead, 'chain' | 'last' | 'mac'>, key: ChainKey): string {
  const whole = chainHead.parse({ ...head, signed_at: new Date().toISOString(), public_key: key.publicKey })
  return `${JSON.stringify({ ...whole, signature: key.sign(JSON.stringify(whole)) })}\n`
}

function openChainHead(line: string, key: ChainKey): ChainHead | undefined {
  const read = signedHead.safeParse(parsedJson(line))
  if (!read.success) return undefined
  const { signature, ...head } = read.data
  return head.public_key === key.publicKey && key.isSigned(JSON.stringify(head), signature) ? read.data : undefined
}

/** The heads that were received elsewhere, a line each, and what is wrong with any. */
export async function readAnchored(
  file: string,
  key: ChainKey,
): Promise<{ readonly heads: readonly ChainHead[]; readonly findings: readonly TrailFinding[] }> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => error as NodeJS.ErrnoException)
  if (typeof text !== 'string') {
    const what = `the anchor ${file} can't be read (${text.code})`
    return { heads: [], findings: [{ kind: 'anchor', segment: '', what }] }
  }
  const heads: ChainHead[] = []
  const findings: TrailFinding[] = []
  for (const [i, line] of text.split('\n').entries()) {
    if (line === '') continue
    const head = openChainHead(line, key)
    if (head !== undefined) heads.push(head)
    else {
      const what = `line ${i + 1} of the anchor is not as it was signed`
      findings.push({ kind: 'anchor', segment: '', line: i + 1, what })
    }
  }
  return { heads, findings }
}

interface ChainAnchorOptions {
  readonly sink: Pick<ChainSink, 'head' | 'key'>
  /** Keeps a line elsewhere. @throws Error where it was not taken */
  readonly keep: (line: string, signal: AbortSignal) => Promise<void>
  readonly log: TrailLog
  readonly intervalMs?: number
}

/** Has the signed head of this process's chain kept elsewhere, whenever it has moved, and once more at the end. */
export class ChainAnchor {
  readonly #options: ChainAnchorOptions
  readonly #keeping: Repeated
  #kept = ''

  /** Starts at once. */
  constructor(options: ChainAnchorOptions) {
    this.#options = options
    const { log, intervalMs = ANCHOR_EVERY_MS } = options
    this.#keeping = new Repeated({
      work: signal => this.#keep(signal),
      failed: (error, before) => {
        if (before === 0)
          log.warn({ err: error }, 'the signed head of the audit trail could not be anchored; trying again')
      },
      recovered: () => log.info({}, 'the signed heads of the audit trail are anchored again'),
      intervalMs,
    })
  }

  async close(): Promise<void> {
    await this.#keeping.close()
    await this.#keep(AbortSignal.timeout(5_000)).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'the last signed head of the audit trail could not be anchored')
    })
  }

  async #keep(signal: AbortSignal): Promise<void> {
    const { sink, keep } = this.#options
    const { head } = sink
    if (head === undefined || head.mac === this.#kept) return
    await keep(signChainHead(head, sink.key), signal)
    this.#kept = head.mac
  }
}
