import { createHash } from 'node:crypto'
import { ifThere } from '../base/error-code.js'
import { open, readFile } from 'node:fs/promises'
import { isWhole, numberOf, sealOf } from './audit-line.js'
import { ChainKey, sameMac } from './chain-key.js'
import { readLines } from './read-lines.js'
import { openHead, readSegmentHead, type SegmentHead } from './segment-head.js'
import { TrailFiles, firstSequence } from './trail-files.js'
import { HEAD_FILE, readHead, type TrailHead } from './trail-head.js'

/**
 * What is not as it was written.
 *
 * - `changed`: a line that does not carry the seal of what it says; `inserted`: one that was never written there, or stands
 *   there twice; `reordered`: one that was written, but elsewhere; `missing`: lines that were between two others.
 * - `cut`: lines that were acknowledged and are gone from the end, or segments from the beginning.
 * - `unproven`: a line behind one of these, which its own seal alone does not prove.
 * - `head`: what is kept of a segment, or of the whole trail, is missing or false; `anchor`: what was anchored is not there.
 */
export type FindingKind = 'changed' | 'inserted' | 'reordered' | 'missing' | 'cut' | 'unproven' | 'head' | 'anchor'

export interface TrailFinding {
  readonly kind: FindingKind
  readonly segment: string
  /** Which line of the file, from 1, and the number it has or should have. */
  readonly line?: number
  readonly seq?: number
  /** Of several: the last number. */
  readonly to?: number
  readonly what: string
}

export interface TrailVerification {
  readonly ok: boolean
  readonly segments: number
  /** Lines whose seal holds. */
  readonly lines: number
  /** Lines from before there was a chain: only their checksum says anything. */
  readonly before_chain: number
  readonly from?: number
  readonly to?: number
  /** Bytes behind the last line end, as a crash leaves them: they were never acknowledged. No forgery. */
  readonly torn_bytes: number
  readonly findings: readonly TrailFinding[]
  /** Whether there were more findings than are listed. */
  readonly more: boolean
}

export interface VerifyOptions {
  readonly dataDir: string
  readonly chainSecret: string
  /** The file of signed heads that is kept elsewhere. */
  readonly anchorFile?: string
}

const MOST_FINDINGS = 1_000

/**
 * Verifies the whole trail and changes nothing; a server may be writing it meanwhile. What it can't tell: that the whole
 * data directory was put back to an earlier state, or that whoever holds its secret wrote it anew: only an anchor
 * elsewhere tells of that.
 */
export async function verifyTrail({ dataDir, chainSecret, anchorFile }: VerifyOptions): Promise<TrailVerification> {
  const files = new TrailFiles(dataDir)
  const key = new ChainKey(chainSecret)
  // Before the files are looked at: what they hold by then is at least what it says.
  const head = await readHead(files, key)
  const segments = await files.segments()
  const check = new Check(files, key, head)
  const now = await readHead(files, key)
  const begins = typeof now === 'string' ? undefined : now.begins
  if (typeof head === 'string') check.noHead(head, segments)
  else if (head.lost_before !== undefined) check.lost(head)
  if (begins !== undefined) {
    const first = segments.find(name => name >= begins)
    if (first !== begins && (typeof head === 'string' || head.seq >= firstSequence(begins)))
      check.beginning(begins, first)
  }
  const kept = segments.filter(name => begins === undefined || name >= begins)
  for (const [i, segment] of kept.entries()) await check.segment(segment, i === kept.length - 1)
  check.end(kept.at(-1))
  if (anchorFile !== undefined) await check.anchor(anchorFile, begins)
  return check.report(kept.length)
}

class Check {
  readonly #files: TrailFiles
  readonly #key: ChainKey
  readonly #head: TrailHead | 'missing' | 'false'
  readonly #findings: TrailFinding[] = []
  readonly #heads = new Map<string, SegmentHead>()
  /** Seals of the lines of this segment and of the one before it, by number. */
  #macs = new Map<number, string>()
  #macsBefore = new Map<number, string>()
  /** What the line looked at has to follow; undefined before the first. */
  #previous: string | undefined
  #highest: number | undefined
  #from: number | undefined
  #lines = 0
  #beforeChain = 0
  #tornBytes = 0
  /** Whether the line before was found wrong. */
  #broken = false
  #more = false

  constructor(files: TrailFiles, key: ChainKey, head: TrailHead | 'missing' | 'false') {
    this.#files = files
    this.#key = key
    this.#head = head
  }

  noHead(head: 'missing' | 'false', segments: readonly string[]): void {
    const what =
      segments.length > 0
        ? `the head of the trail (head.json) is ${head}: lines cut from its end can't be told`
        : `there is no trail: its files and its head (head.json) are gone, or nothing was ever written to it`
    this.#find({ kind: 'head', segment: segments.at(-1) ?? HEAD_FILE, what })
  }

  lost({ lost_before: before = 0, begins: segment }: TrailHead): void {
    const what = `the head of the trail was missing or false at a start: nothing vouches for the end of what is before number ${before}`
    this.#find({ kind: 'head', segment, seq: before, what })
  }

  beginning(begins: string, first: string | undefined): void {
    const what = `the trail begins with ${begins}, which is gone${first === undefined ? '' : `; the first there is ${first}`}`
    this.#find({ kind: 'cut', segment: begins, seq: firstSequence(begins), what })
  }

  async segment(segment: string, isLast: boolean): Promise<void> {
    const before = this.#findings.length
    const signed = await readSegmentHead(this.#files, segment, this.#key)
    const handle = await ifThere(open(this.#files.path(segment), 'r'))
    // Retention may have taken it meanwhile; the chain tells when it was somebody else.
    if (handle === undefined) return
    this.#macsBefore = this.#macs
    this.#macs = new Map()
    const hash = createHash('sha256')
    let bytes = 0
    let line = 0
    const unsealedBefore = this.#beforeChain
    try {
      const { size } = await handle.stat()
      this.#first(segment, signed)
      for await (const read of readLines(handle, 0, size)) {
        if (!read.ended) {
          this.#torn(segment, line + 1, read.bytes.length, isLast)
          break
        }
        line += 1
        hash.update(read.bytes).update('\n')
        bytes = read.next
        this.#line(segment, line, read.bytes)
      }
    } finally {
      await handle.close()
    }
    if (typeof signed !== 'string') this.#heads.set(segment, signed)
    const sealed = line > this.#beforeChain - unsealedBefore
    if (isLast || !sealed) return
    if (typeof signed === 'string') {
      this.#find({ kind: 'head', segment, what: `the signed head of ${segment} is ${signed}` })
    } else if (this.#findings.length === before && (signed.sha256 !== hash.digest('hex') || signed.bytes !== bytes)) {
      const what = `${segment} does not hold the bytes that were signed (${bytes} of ${signed.bytes})`
      this.#find({ kind: bytes < signed.bytes ? 'cut' : 'inserted', segment, what })
    }
  }

  end(last: string | undefined): void {
    const head = this.#head
    if (typeof head === 'string') return
    const highest = this.#highest ?? 0
    const segment = last ?? head.segment
    if (highest < head.seq && head.seq >= head.chained_from) {
      const what = `the trail ends with number ${highest}, and ${head.seq} was acknowledged`
      this.#find({ kind: 'cut', segment, seq: highest + 1, to: head.seq, what })
    }
    const mac = this.#macs.get(head.seq) ?? this.#macsBefore.get(head.seq)
    if (mac !== undefined && !sameMac(mac, head.mac)) {
      this.#find({
        kind: 'changed',
        segment,
        seq: head.seq,
        what: `line ${head.seq} is not the one that was acknowledged`,
      })
    }
  }

  async anchor(file: string, begins: string | undefined): Promise<void> {
    const read = await readFile(file, 'utf8').catch((error: unknown) => error as NodeJS.ErrnoException)
    if (typeof read !== 'string') {
      this.#find({ kind: 'anchor', segment: '', what: `the anchor ${file} can't be read (${read.code})` })
      return
    }
    const texts = read.split('\n').filter(text => text !== '')
    for (const [i, text] of texts.entries()) {
      const head = openHead(text, this.#key)
      if (head === undefined) {
        this.#find({
          kind: 'anchor',
          segment: '',
          line: i + 1,
          what: `line ${i + 1} of the anchor is not as it was signed`,
        })
        continue
      }
      if (begins !== undefined && head.segment < begins) continue
      await this.#anchored(head)
    }
  }

  report(segments: number): TrailVerification {
    const range = this.#from === undefined ? {} : { from: this.#from, to: this.#highest ?? this.#from }
    return {
      ok: this.#findings.length === 0,
      segments,
      lines: this.#lines,
      before_chain: this.#beforeChain,
      ...range,
      torn_bytes: this.#tornBytes,
      findings: this.#findings,
      more: this.#more,
    }
  }

  /** The bytes that were signed may be the beginning of what a segment holds now, where it took more lines after all. */
  async #anchored({ segment, last, bytes, sha256 }: SegmentHead): Promise<void> {
    const handle = await ifThere(open(this.#files.path(segment), 'r'))
    const wrong = (what: string) =>
      this.#find({ kind: 'anchor', segment, seq: last, what: `${segment} is anchored, and ${what}` })
    if (handle === undefined) return wrong('not there')
    try {
      const { size } = await handle.stat()
      if (size < bytes) return wrong(`cut (${size} of ${bytes} bytes)`)
      const hash = createHash('sha256')
      for await (const chunk of handle.createReadStream({ end: Math.max(0, bytes - 1), autoClose: false }))
        hash.update(chunk as Buffer)
      if (hash.digest('hex') !== sha256) wrong('not as it was')
    } finally {
      await handle.close()
    }
  }

  /** Where a segment goes on from: the line before it, or, of the oldest, what was signed. */
  #first(segment: string, signed: SegmentHead | 'missing' | 'false'): void {
    const head = this.#head
    const said =
      typeof head !== 'string' && head.segment === segment
        ? head.previous
        : typeof signed === 'string'
          ? undefined
          : signed.previous
    if (this.#previous === undefined) this.#previous = said
    else if (said !== undefined && !sameMac(said, this.#previous) && !this.#broken) {
      const what = `${segment} follows another line than the last one before it`
      this.#find({ kind: 'missing', segment, ...(this.#highest === undefined ? {} : { seq: this.#highest + 1 }), what })
      this.#previous = said
    }
  }

  #torn(segment: string, line: number, bytes: number, isLast: boolean): void {
    if (isLast) this.#tornBytes = bytes
    else
      this.#find({
        kind: 'inserted',
        segment,
        line,
        what: `${bytes} bytes without a line end stand behind the last line`,
      })
  }

  #line(segment: string, line: number, bytes: Buffer): void {
    const seal = sealOf(bytes)
    const seq = isWhole(bytes) ? numberOf(bytes) : undefined
    const at = { segment, line, ...(seq === undefined ? { seq: (this.#highest ?? 0) + 1 } : { seq }) }
    if (seq === undefined) return this.#bad({ kind: 'changed', ...at, what: 'its checksum is wrong' }, seal?.mac)
    if (seal === undefined) return this.#unsealed(at)
    this.#from ??= seq
    const follows = (previous: string | undefined) =>
      previous !== undefined && sameMac(this.#key.mac(previous, seal.text), seal.mac)
    const before = this.#macs.get(seq - 1) ?? this.#macsBefore.get(seq - 1)
    if (follows(this.#previous)) {
      this.#lines += 1
      this.#good(seq, seal.mac)
    } else if (follows(before)) {
      this.#outOfPlace(at, seal.mac)
    } else {
      this.#stranger(at, seal.mac)
    }
  }

  #good(seq: number, mac: string): void {
    this.#broken = false
    this.#previous = mac
    this.#macs.set(seq, mac)
    this.#highest = Math.max(this.#highest ?? 0, seq)
  }

  /** A line that was written so, but not behind the one that stands before it. */
  #outOfPlace(at: Place, mac: string): void {
    const known = this.#macs.get(at.seq) ?? this.#macsBefore.get(at.seq)
    if (known === mac) {
      this.#find({ kind: 'inserted', ...at, what: `number ${at.seq} stands here a second time` })
    } else if (known !== undefined) {
      // What stood there under its number is not what was written.
      this.#rename(at.seq, 'inserted')
      this.#lines += 1
    } else if (at.seq < (this.#highest ?? 0)) {
      this.#find({ kind: 'reordered', ...at, what: `number ${at.seq} was not written behind the line before it` })
    }
    this.#good(at.seq, mac)
  }

  /** A line that follows from nothing that stands before it. */
  #stranger(at: Place, mac: string): void {
    const highest = this.#highest
    if (this.#previous === undefined && highest === undefined) {
      // The first of all, with nothing to hold it against: its head is missing, which is said elsewhere.
      this.#good(at.seq, mac)
      return
    }
    if (highest !== undefined && at.seq > highest + 1) {
      const range = { seq: highest + 1, to: at.seq - 1 }
      const what = `the lines between numbers ${highest} and ${at.seq} are missing, or number ${at.seq} is changed`
      this.#find({ kind: 'missing', segment: at.segment, line: at.line, ...range, what })
      this.#good(at.seq, mac)
      this.#broken = true
      return
    }
    if (this.#broken)
      return this.#bad({ kind: 'unproven', ...at, what: 'the line before it is not as it was written' }, mac)
    const what = 'its seal is not that of what it says behind the line before it'
    this.#bad({ kind: highest !== undefined && at.seq <= highest ? 'inserted' : 'changed', ...at, what }, mac)
  }

  #unsealed(at: Place): void {
    const { seq } = at
    const chainedFrom = typeof this.#head === 'string' ? undefined : this.#head.chained_from
    if (this.#from === undefined && (chainedFrom === undefined || seq < chainedFrom)) {
      this.#beforeChain += 1
      this.#highest = Math.max(this.#highest ?? 0, seq)
      return
    }
    this.#bad({ kind: 'inserted', ...at, what: 'it carries no seal, though the chain had begun' }, undefined)
  }

  #bad(finding: TrailFinding & Place, mac: string | undefined): void {
    this.#find(finding)
    this.#broken = true
    // A changed line may still carry the seal that the next one follows.
    if (mac !== undefined) this.#previous = mac
    if (finding.kind === 'inserted') return
    this.#highest = Math.max(this.#highest ?? 0, finding.seq)
    if (mac !== undefined) this.#macs.set(finding.seq, mac)
  }

  /** A line that was taken for a changed one turns out to have been put before the true one. */
  #rename(seq: number, kind: FindingKind): void {
    const index = this.#findings.findLastIndex(one => one.seq === seq && one.kind === 'changed')
    const found = this.#findings[index]
    if (found !== undefined)
      this.#findings[index] = { ...found, kind, what: `a second line has number ${seq}: this one was never written` }
  }

  #find(finding: TrailFinding): void {
    if (this.#findings.length < MOST_FINDINGS) this.#findings.push(finding)
    else this.#more = true
  }
}

interface Place {
  readonly segment: string
  readonly line: number
  readonly seq: number
}
