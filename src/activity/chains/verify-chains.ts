import { setImmediate } from 'node:timers/promises'
import {
  type AuditChain,
  type AuditChainStore,
  type AuditLine,
  chainOf,
  counterOf,
  seqOf,
} from '../../store/audit-chains.js'
import { type ChainKey, sameMac } from '../chain-key.js'
import type { TrailFinding, TrailVerification } from '../verify-trail.js'
import { type ChainHead, readAnchored } from './chain-anchor.js'
import { chainSeal, firstMac, isBefore, isSealedList, isSealedPlace, lineMac } from './seals.js'

/** Lines that are held at a time. */
const PAGE = 1_000
const MOST_FINDINGS = 1_000

export interface VerifyChainsOptions {
  /** The file of signed heads that is kept elsewhere. */
  readonly anchorFile?: string
  /** Only the chains and the last line of each, not what is between. */
  readonly onlyEnds?: boolean
}

/** What is wrong with a chain. */
interface FoundOfChain {
  readonly chain: number
  readonly finding: TrailFinding
}

type ChainReader = Pick<AuditChainStore, 'list' | 'chains' | 'lines'>

/**
 * Verifies the trail of a store of several processes and changes nothing; they may be writing it meanwhile, and removing what is too old. What
 * it can't tell: that the whole store was put back to an earlier state, or written anew by whoever has its secret: only an anchor elsewhere
 * tells of that.
 */
export async function verifyChains(
  store: ChainReader,
  key: ChainKey,
  { anchorFile, onlyEnds = false }: VerifyChainsOptions = {},
): Promise<TrailVerification> {
  const findings: TrailFinding[] = []
  let lines = 0
  // Before the chains are looked at: what is on it by then has to be there.
  const list = await store.list()
  const found = await store.chains()
  const anchored = anchorFile === undefined ? { heads: [], findings: [] } : await readAnchored(anchorFile, key)
  findings.push(...anchored.findings)
  if (list === undefined) {
    if (found.length > 0 || anchored.heads.length > 0) {
      findings.push({
        kind: 'head',
        segment: '',
        what: 'the list of chains is missing: one that was removed can not be told',
      })
    }
  } else if (!isSealedList(key, list)) {
    findings.push({ kind: 'head', segment: '', what: 'the list of chains is not as it was sealed' })
  }
  const ofChains: FoundOfChain[] = []
  if (list !== undefined && isSealedList(key, list)) {
    const there = new Set(found.map(({ number }) => number))
    for (let chain = list.first; chain <= list.last; chain += 1) {
      const what = `${nameOf(chain)} is on the list of chains, and not there`
      if (!there.has(chain)) ofChains.push({ chain, finding: { kind: 'cut', segment: nameOf(chain), what } })
    }
  }
  const kept = found.filter(({ number }) => list === undefined || number >= list.first)
  for (const chain of kept) {
    const heads = anchored.heads.filter(head => head.chain === chain.number)
    // oxlint-disable-next-line no-await-in-loop -- one chain after the other
    const check = await checkAsItIs(store, chain, one => new ChainCheck(one, key, heads), onlyEnds)
    for (const finding of check.findings) ofChains.push({ chain: chain.number, finding })
    lines += check.lines
  }
  for (const { chain } of anchored.heads) {
    if (chain < (list?.first ?? 1) || kept.some(({ number }) => number === chain)) continue
    const what = `${nameOf(chain)} is anchored, and not there`
    ofChains.push({ chain, finding: { kind: 'anchor', segment: nameOf(chain), what } })
  }
  // What became too old meanwhile is taken off the list before it goes.
  const now = ofChains.length === 0 ? list : await store.list()
  for (const { chain, finding } of ofChains) if (!isBefore(key, now, chain)) findings.push(finding)
  return {
    ok: findings.length === 0,
    segments: kept.length,
    lines,
    before_chain: 0,
    torn_bytes: 0,
    findings: findings.slice(0, MOST_FINDINGS),
    more: findings.length > MOST_FINDINGS,
  }
}

/**
 * Walks a chain. Where something is wrong and its beginning has moved since, as what is too old goes, it is walked once more as it is now; one
 * that is gone by then is not.
 */
async function checkAsItIs(
  store: ChainReader,
  chain: AuditChain,
  checkOf: (chain: AuditChain) => ChainCheck,
  onlyEnds: boolean,
): Promise<ChainCheck> {
  for (let walked = chain; ;) {
    // oxlint-disable no-await-in-loop -- a page at a time, and again until it stays as it is
    const check = checkOf(walked)
    const from = onlyEnds ? Math.max(walked.begins.counter, walked.head.counter) : walked.begins.counter
    check.begin(from)
    for (let after = from - 1; ;) {
      const page = await store.lines(walked.number, after, onlyEnds ? 1 : PAGE)
      for (const line of page) check.line(line)
      const last = page.at(-1)
      if (last === undefined || onlyEnds) break
      after = counterOf(last.seq)
      await setImmediate()
    }
    check.end()
    if (check.findings.length === 0) return check
    const now = (await store.chains()).find(({ number }) => number === walked.number)
    if (now === undefined || now.begins.counter <= walked.begins.counter) return check
    walked = now
    // oxlint-enable no-await-in-loop
  }
}

const nameOf = (chain: number): string => `chain ${chain}`

/** Walks one chain. */
class ChainCheck {
  readonly findings: TrailFinding[] = []
  lines = 0
  readonly #chain: AuditChain
  readonly #key: ChainKey
  readonly #anchored: ReadonlyMap<number, string>
  /** The seal that the next line follows; undefined where it is not known. */
  #previous: string | undefined
  #expected = 1
  #headMac: string | undefined
  #broken = false

  constructor(chain: AuditChain, key: ChainKey, anchored: readonly ChainHead[]) {
    this.#chain = chain
    this.#key = key
    this.#anchored = new Map(anchored.map(({ last, mac }) => [last, mac]))
  }

  /** @param from the counter of the first line that is looked at */
  begin(from: number): void {
    const { number, begins, head, seal } = this.#chain
    this.#expected = from
    if (!sameMac(chainSeal(this.#key, this.#chain), seal))
      this.#find('head', 'what is said of it is not as it was sealed')
    if (!isSealedPlace(this.#key, 'head', number, head)) this.#find('head', 'its head is not as it was sealed')
    if (!isSealedPlace(this.#key, 'begins', number, begins)) this.#find('head', 'its beginning is not as it was sealed')
    else if (begins.counter === 1 && !sameMac(firstMac(this.#key, seal), begins.mac)) {
      this.#find('head', 'its beginning is not its own')
    }
    this.#previous = from === begins.counter ? begins.mac : undefined
  }

  line(line: AuditLine): void {
    const { number, head } = this.#chain
    const counter = counterOf(line.seq)
    if (chainOf(line.seq) !== number || counter < this.#expected) return
    if (counter > this.#expected) this.#gap(counter - 1)
    const isRight = this.#previous !== undefined && sameMac(lineMac(this.#key, this.#previous, line), line.mac)
    if (isRight) this.lines += 1
    else if (counter > head.counter) this.#find('inserted', 'it was never written', counter)
    // Behind a gap, or behind a line whose seal is not its own, nothing tells what it should follow.
    else if (this.#previous !== undefined) {
      this.#find(this.#broken ? 'unproven' : 'changed', 'its seal is not that of what it says', counter)
    }
    this.#broken = !isRight && this.#previous !== undefined
    if (counter === head.counter) this.#headMac = line.mac
    const anchored = this.#anchored.get(counter)
    if (anchored !== undefined && !sameMac(anchored, line.mac)) {
      this.#find('anchor', 'it is anchored, and another line', counter)
    }
    // A changed line may still carry the seal that the next one follows.
    this.#previous = line.mac
    this.#expected = counter + 1
  }

  end(): void {
    const { head, begins } = this.#chain
    if (this.#expected <= head.counter) this.#gap(head.counter, 'cut')
    if (this.#headMac !== undefined && !sameMac(this.#headMac, head.mac)) {
      this.#find('changed', 'it is not the line that was acknowledged', head.counter)
    }
    for (const counter of this.#anchored.keys()) {
      if (counter >= this.#expected && counter >= begins.counter)
        this.#find('anchor', 'it is anchored, and not there', counter)
    }
  }

  #gap(to: number, kind: 'missing' | 'cut' = 'missing'): void {
    const from = this.#expected
    const what = kind === 'cut' ? `lines up to number ${to} were acknowledged` : `lines are missing`
    this.findings.push({
      kind,
      segment: nameOf(this.#chain.number),
      seq: seqOf(this.#chain.number, from),
      to: seqOf(this.#chain.number, to),
      line: from,
      what: `${nameOf(this.#chain.number)}: ${what}, and ${from === to ? `${from} is` : `${from} to ${to} are`} not there`,
    })
    this.#previous = undefined
  }

  #find(kind: TrailFinding['kind'], what: string, counter?: number): void {
    const segment = nameOf(this.#chain.number)
    const at = counter === undefined ? {} : { line: counter, seq: seqOf(this.#chain.number, counter) }
    const name = counter === undefined ? segment : `${segment}, line ${counter}`
    this.findings.push({ kind, segment, ...at, what: `${name}: ${what}` })
  }
}
