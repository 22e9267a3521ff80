import { readFile, rename, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode, ifThere } from '../base/error-code.js'
import { parsedJson } from '../base/parsed-json.js'
import { ChainKey } from './chain-key.js'
import { Repeated } from './repeated.js'
import { headLine, readSegmentHead, type SegmentHead } from './segment-head.js'
import { TrailFiles } from './trail-files.js'
import type { TrailLog } from './trail-log.js'

const INTERVAL_MS = 10_000

const STATE_FILE = 'audit-anchor.json'
const state = z.strictObject({
  /** Hash of the address, which may hold a secret: what another one got says nothing of this one. */
  address: z.string(),
  /** The head that got there last; absent while none did. */
  anchored: z.strictObject({ segment: z.string(), last: z.int(), at: z.string() }).exactOptional(),
  /** Since when no head gets there, and why. */
  failing: z.strictObject({ since: z.string(), why: z.string() }).exactOptional(),
})
type State = Readonly<z.output<typeof state>>

interface Anchoring {
  readonly dataDir: string
  readonly chainSecret: string
  readonly address: string
}

export interface HeadAnchorOptions extends Anchoring {
  /** Sends a head, a line of JSON. Resolves, when it was taken, to nothing, else to why it was not, in a few words. */
  readonly send: (line: string, signal: AbortSignal) => Promise<string | undefined>
  readonly log: TrailLog
  readonly intervalMs?: number
}

/**
 * Sends the signed heads of segments elsewhere, each at least once, in their order, from where it stopped. It reads the files that
 * the trail leaves: a receiver that is slow or gone holds up nothing, and gets later what it missed, as long as the trail keeps it.
 */
export class HeadAnchor {
  readonly #options: HeadAnchorOptions
  readonly #heads: Heads
  #state: State | undefined
  readonly #sending: Repeated

  /** Starts at once. */
  constructor(options: HeadAnchorOptions) {
    this.#options = options
    this.#heads = new Heads(options)
    const { log, intervalMs = INTERVAL_MS } = options
    this.#sending = new Repeated({
      work: signal => this.#send(signal),
      failed: (error, before) => this.#failed(error, before),
      recovered: () => log.info({}, 'the signed heads of the audit trail are anchored again'),
      intervalMs,
    })
  }

  close(): Promise<void> {
    return this.#sending.close()
  }

  async #send(signal: AbortSignal): Promise<void> {
    this.#state ??= await readState(this.#options)
    for await (const head of this.#heads.after(this.#state)) {
      const refused = await this.#options.send(headLine(head), signal)
      if (refused !== undefined) throw new NotTaken(refused)
      const { segment, last } = head
      const { address } = this.#state
      await this.#keep({ address, anchored: { segment, last, at: new Date().toISOString() } })
      if (signal.aborted) return
    }
  }

  async #failed(error: unknown, before: number): Promise<void> {
    const { log } = this.#options
    const refused = error instanceof NotTaken
    const why = refused ? error.message : (errorCode(error) ?? 'internal error')
    const told = refused ? { why } : { why, err: error }
    if (before === 0) log.warn(told, 'a signed head of the audit trail could not be anchored; trying again')
    if (this.#state === undefined || this.#state.failing?.why === why) return
    const since = this.#state.failing?.since ?? new Date().toISOString()
    try {
      await this.#keep({ ...this.#state, failing: { since, why } })
    } catch (cause) {
      log.warn({ err: cause }, `${STATE_FILE} can't be written`)
    }
  }

  async #keep(next: State): Promise<void> {
    const path = join(this.#options.dataDir, STATE_FILE)
    // One that is lost by a power failure costs heads that are sent twice.
    await writeFile(`${path}.new`, JSON.stringify(next), { mode: 0o600 })
    await rename(`${path}.new`, path)
    this.#state = next
  }
}

class NotTaken extends Error {}

/** The signed heads that a trail has. One that is not as it was signed is left out: verifying names it. */
class Heads {
  readonly #files: TrailFiles
  readonly #key: ChainKey

  constructor({ dataDir, chainSecret }: Anchoring) {
    this.#files = new TrailFiles(dataDir)
    this.#key = new ChainKey(chainSecret)
  }

  async *after({ anchored }: State): AsyncGenerator<SegmentHead> {
    for (const segment of await this.#files.segments()) {
      if (anchored !== undefined && segment < anchored.segment) continue
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const head = await readSegmentHead(this.#files, segment, this.#key)
      if (typeof head === 'string') continue
      // A segment that took more lines after all has a new one.
      if (segment !== anchored?.segment || head.last > anchored.last) yield head
    }
  }
}

async function readState({ dataDir, address }: Anchoring): Promise<State> {
  const hash = createHash('sha256').update(address).digest('base64url')
  const text = await ifThere(readFile(join(dataDir, STATE_FILE), 'utf8'))
  const read = state.safeParse(text === undefined ? undefined : parsedJson(text))
  return read.success && read.data.address === hash ? read.data : { address: hash }
}

/** How far heads are anchored: what is shown of it. */
export interface AnchorState extends Pick<State, 'anchored' | 'failing'> {
  /** When the heads were signed that still wait, the oldest first. */
  readonly waiting: readonly string[]
}

/** Reads how far heads are anchored; a server may be sending them meanwhile. */
export async function anchorState(of: Anchoring): Promise<AnchorState> {
  const { address: _, ...kept } = await readState(of)
  const waiting: string[] = []
  for await (const { signed_at: at } of new Heads(of).after({ address: '', ...kept })) waiting.push(at)
  return { ...kept, waiting }
}
