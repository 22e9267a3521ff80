import { Problem } from '../base/problem.js'
import type { AuditTrailOptions } from './audit-trail-options.js'
import { AuditTrail } from './audit-trail.js'
import { recoverSegment } from './recover-segment.js'
import { TrailFiles } from './trail-files.js'
import { TrailWriter } from './trail-writer.js'

/**
 * Opens the audit trail of a data directory, making it as needed, and cuts what a crash left torn; the log says what
 * was cut and what is damaged. Only one process may hold a trail: open the store first, whose lock sees to that.
 * Rejects with a Problem whose sentence is for the operator.
 */
export async function openAuditTrail(options: AuditTrailOptions): Promise<AuditTrail> {
  const files = new TrailFiles(options.dataDir)
  try {
    await files.prepare()
    await files.remove('probe')
    const lastSequence = await recover(files, options)
    // Always a new segment: what another run wrote is cut at most, and never written to again.
    const writer = await TrailWriter.create(files, lastSequence + 1, options)
    return new AuditTrail({ files, writer, lastSequence, options })
  } catch (error) {
    if (error instanceof Problem) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    const problem = new Problem('store_unavailable', `The audit trail in ${files.directory} can't be opened (${code})`)
    problem.cause = error
    throw problem
  }
}

/** Looks through the segment written last. Gives back the highest number ever given. */
async function recover(files: TrailFiles, { replayed = 0, log }: AuditTrailOptions): Promise<number> {
  const segment = (await files.segments()).at(-1)
  if (segment === undefined) {
    if (replayed > 0) log?.error({ replayed }, 'the files of the audit trail are gone; it goes on with the next number')
    return replayed
  }
  const found = await recoverSegment(files, segment)
  const { cutBytes, damagedLines, lastSequence } = found
  if (cutBytes > 0) log?.warn({ segment, bytes: cutBytes }, `${cutBytes} bytes of a torn audit line were cut off`)
  if (damagedLines > 0) log?.error({ segment, lines: damagedLines }, `${damagedLines} audit lines are damaged`)
  if (found.lines + damagedLines === 0) await files.remove(segment)
  if (lastSequence < replayed) {
    log?.error(
      { last: lastSequence, replayed },
      'the audit trail ends before what was replayed from it: lines are missing',
    )
  }
  return Math.max(lastSequence, replayed)
}
