import { Problem } from '../base/problem.js'
import type { AuditTrailOptions } from './audit-trail-options.js'
import { ChainKey } from './chain-key.js'
import { FileAuditTrail } from './file-audit-trail.js'
import { FileSink } from './file-sink.js'
import { recoverSegment, type Recovery } from './recover-segment.js'
import { anchorHead, readSegmentHead, signHead } from './segment-head.js'
import { signClosed } from './sign-closed.js'
import { TrailFiles, segmentName } from './trail-files.js'
import { readHead, type TrailHead } from './trail-head.js'
import { type TrailStart, TrailWriter } from './trail-writer.js'

/**
 * Opens the audit trail of a data directory, making it as needed, and cuts what a crash left torn; the log says what
 * was cut and what is damaged. Only one process may hold a trail: open the store first, whose lock sees to that.
 * Rejects with a Problem whose sentence is for the operator.
 */
export async function openAuditTrail(options: AuditTrailOptions): Promise<FileAuditTrail> {
  const files = new TrailFiles(options.dataDir)
  const key = new ChainKey(options.chainSecret)
  try {
    await files.prepare()
    await files.remove('probe')
    if (options.anchorFile !== undefined) await beginAnchor(options.anchorFile, options)
    const { head, heads } = await recover(files, key, options)
    // Always a new segment: what another run wrote is cut at most, and never written to again.
    const writer = await TrailWriter.create(files, head.seq + 1, { options, key, head, heads })
    return new FileAuditTrail(new FileSink({ files, writer, key, lastSequence: head.seq }), options)
  } catch (error) {
    if (error instanceof Problem) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    const problem = new Problem('store_unavailable', `The audit trail in ${files.directory} can't be opened (${code})`)
    problem.cause = error
    throw problem
  }
}

/** Makes the file of the anchor where it is not there: from then on it is missed when it is gone. */
async function beginAnchor(file: string, { log }: Pick<AuditTrailOptions, 'log'>): Promise<void> {
  await anchorHead(file, '').catch((error: unknown) => {
    log?.error({ err: error, file }, 'the anchor of the audit trail can not be written')
  })
}

/** Looks through the segment written last. Gives back from where the trail goes on: the highest number ever given, and the seal. */
async function recover(
  files: TrailFiles,
  key: ChainKey,
  options: AuditTrailOptions,
): Promise<Pick<TrailStart, 'head' | 'heads'>> {
  const { replayed = 0, log } = options
  const segments = await files.segments()
  const segment = segments.at(-1)
  const head = await readHead(files, key)
  // Of what was replayed there were files: before there was a chain they were never taken away to the last.
  const areGone = segment === undefined && replayed > 0
  const chained = areGone || head !== 'missing' || (await anyHead(files, segments, key))
  if (typeof head === 'string' && chained && !areGone)
    log?.error({}, `the head of the audit trail is ${head}; lines cut from its end can't be told`)
  if (segment === undefined) {
    if (areGone) log?.error({ replayed }, 'the files of the audit trail are gone; it goes on with the next number')
    const seq = Math.max(replayed, typeof head === 'string' ? 0 : head.seq)
    return { head: next(key, { head, chained, oldest: undefined, seq }), heads: new Map() }
  }
  const found = await recoverSegment(files, segment)
  const { cutBytes, damagedLines, lines } = found
  if (cutBytes > 0) log?.warn({ segment, bytes: cutBytes }, `${cutBytes} bytes of a torn audit line were cut off`)
  if (damagedLines > 0) log?.error({ segment, lines: damagedLines }, `${damagedLines} audit lines are damaged`)
  const isEmpty = lines + damagedLines === 0
  if (isEmpty) await files.remove(segment)
  const known = Math.max(replayed, typeof head === 'string' ? 0 : head.seq)
  if (found.lastSequence < known) {
    log?.error(
      { last: found.lastSequence, replayed: known },
      'the audit trail ends before what was replayed from it: lines are missing',
    )
  }
  const oldest = isEmpty && segments.length === 1 ? undefined : segments[0]
  const following = next(key, { head, chained, oldest, seq: Math.max(found.lastSequence, known), found })
  const last = await signLast(files, key, { segment, head, found, following })
  if (typeof head === 'string') return { head: following, heads: last }
  const kept = isEmpty ? segments.slice(0, -1) : segments
  const closed = await signClosed({ files, key, head, segments: kept, seq: following.seq })
  if (closed.size > 0) {
    log?.warn(
      { segments: [...closed.keys()] },
      'audit segments had no signed head; their lines and what comes behind them follow one another, and they are signed again',
    )
  }
  return { head: following, heads: new Map([...closed, ...last]) }
}

async function anyHead(files: TrailFiles, segments: readonly string[], key: ChainKey): Promise<boolean> {
  for (const segment of segments) if ((await readSegmentHead(files, segment, key)) !== 'missing') return true
  return false
}

interface Found {
  readonly head: TrailHead | 'missing' | 'false'
  /** Whether there ever was a chain. */
  readonly chained: boolean
  readonly oldest: string | undefined
  readonly seq: number
  readonly found?: Recovery
}

/**
 * The head to go on from. The next line follows the last one that is there only where that is the last there was: where
 * lines are missing it follows the one that was last, so that the gap shows for as long as the segment is kept.
 */
function next(key: ChainKey, { head, chained, oldest, seq, found }: Found): TrailStart['head'] {
  if (typeof head !== 'string') {
    const { segment: _, previous: __, ...kept } = head
    const last = found?.lastLine
    return { ...kept, begins: head.begins, seq, mac: last !== undefined && last.seq >= head.seq ? last.mac : head.mac }
  }
  const begins = oldest ?? segmentName(seq + 1)
  if (!chained) return { version: 1, chained_from: seq + 1, begins, seq, mac: key.mac('first', String(seq)) }
  const mac = key.mac('lost', String(seq))
  return { version: 1, chained_from: 1, begins, seq, mac, lost_before: seq + 1 }
}

interface Last {
  readonly segment: string
  readonly head: Found['head']
  readonly found: Recovery
  readonly following: TrailStart['head']
}

/** The head of the segment that a run left which did not end in order, by its name, if it is as that run left it. */
async function signLast(
  files: TrailFiles,
  key: ChainKey,
  { segment, head, found, following }: Last,
): Promise<ReadonlyMap<string, string>> {
  const { lastLine, bytes, sha256 } = found
  if (typeof head === 'string' || head.segment !== segment || lastLine === undefined) return new Map()
  if (lastLine.seq < head.seq || following.seq !== lastLine.seq) return new Map()
  const kept = await readSegmentHead(files, segment, key)
  if (typeof kept !== 'string' && kept.last === lastLine.seq) return new Map()
  const { previous } = head
  return new Map([
    [segment, signHead({ segment, last: lastLine.seq, mac: lastLine.mac, previous, bytes, sha256 }, key)],
  ])
}
