import { finished } from 'node:stream/promises'
import pLimit from 'p-limit'
import { z } from 'zod'
import { importRubric } from '../../evaluation/run/import-rubric.js'
import { formats } from '../../ingest/formats/formats.js'
import { importCalls } from '../../ingest/import-calls.js'
import { placeIds } from '../../ingest/place-id.js'
import type { ImportInput } from '../../ingest/sources.js'
import { maskingOf } from '../../store/records/project.js'
import type { TaskContext } from '../task-kind.js'
import { FileRejects } from './file-rejects.js'

/** Files are imported so many, or so many bytes, at a time, and moved when those are in the store. */
const BATCH_FILES = 500
const BATCH_BYTES = 64 * 1024 * 1024

const formatNames = formats.map(({ name }) => name)

/** As a parameter of a task. */
export const formatParameter = z
  .string()
  .max(100)
  .refine(name => formatNames.includes(name), { error: `must be one of ${formatNames.join(', ')}` })
  .optional()
  .meta({ description: 'Format to read every file as; recognised by its content when absent' })

/** A file of a place that others drop files at. */
interface Dropped {
  /** Name below the place, with slashes. */
  readonly name: string
  readonly bytes: number
}

/** Files that are taken together: one alone, or the two of a call. */
type Unit<F extends Dropped> = readonly F[]

/** Where files are dropped, and what becomes of them there. */
export interface DropPlace<F extends Dropped> {
  /** Files that are moved at a time. */
  readonly width: number
  input(file: F): ImportInput
  /** Whether what was imported is what lies there. */
  isWhole(file: F): Promise<boolean>
  /** Puts a file that was taken in out of the way; false where that has to wait. */
  moveDone(file: F): Promise<boolean>
  /** The same of one with a faulty record, or beside one; its report goes beside it, first: what is not moved yet is reported again. */
  setAside(file: F, report: string | undefined): Promise<boolean>
}

export interface DropCounts {
  files_done: number
  files_failed: number
  files_waiting: number
  calls_stored: number
  calls_replaced: number
  calls_evaluated: number
  /** Dated after now; absent when there are none. */
  future_calls?: number
  records_rejected: number
}

export function noCounts(): DropCounts {
  return {
    files_done: 0,
    files_failed: 0,
    files_waiting: 0,
    calls_stored: 0,
    calls_replaced: 0,
    calls_evaluated: 0,
    records_rejected: 0,
  }
}

/** Imports files batch by batch and moves those of each batch when their calls are in the store. @param counts grows */
export async function takeIn<F extends Dropped>(
  units: Iterable<Unit<F>> | AsyncIterable<Unit<F>>,
  place: DropPlace<F>,
  format: string | undefined,
  context: TaskContext,
  counts: DropCounts,
): Promise<void> {
  for await (const batch of batches(units)) await takeBatch(batch, place, format, context, counts)
}

async function takeBatch<F extends Dropped>(
  units: readonly Unit<F>[],
  place: DropPlace<F>,
  format: string | undefined,
  { services, project, signal, taskId }: TaskContext,
  counts: DropCounts,
): Promise<void> {
  signal.throwIfAborted()
  const rejects = new FileRejects()
  const report = await importCalls({
    inputs: units.flat().map(file => place.input(file)),
    projectId: project.project_id,
    store: services.calls,
    rejects,
    redact: maskingOf(project),
    evaluate: await importRubric(services.rubrics, project),
    signal,
    shared: { threads: services.threads, requester: { project: project.project_id, key: `task ${taskId}` } },
    maxRecordBytes: services.maxRecordBytes,
    ...(format === undefined ? {} : { format }),
  })
  rejects.end()
  await finished(rejects)
  services.imports.imported(report)
  counts.calls_stored += report.stored
  counts.calls_replaced += report.replaced
  counts.calls_evaluated += report.evaluation?.evaluated ?? 0
  if (report.future_calls !== undefined) counts.future_calls = (counts.future_calls ?? 0) + report.future_calls

  const settle = async (unit: Unit<F>): Promise<void> => {
    // Written to while it was read: what is there now is taken next time.
    if ((await Promise.all(unit.map(file => place.isWhole(file)))).includes(false)) {
      counts.files_waiting += unit.length
      return
    }
    const isFaulty = unit.some(({ name }) => rejects.has(name))
    for (const file of unit) {
      const { name } = file
      counts.records_rejected += rejects.count(name)
      // oxlint-disable-next-line no-await-in-loop -- one or two
      const isMoved = isFaulty
        ? await place.setAside(file, rejects.has(name) ? rejects.report(name) : undefined)
        : await place.moveDone(file)
      counts[!isMoved ? 'files_waiting' : isFaulty ? 'files_failed' : 'files_done'] += 1
    }
  }
  const limit = pLimit(place.width)
  await Promise.all(units.map(unit => limit(() => settle(unit))))
}

async function* batches<F extends Dropped>(
  units: Iterable<Unit<F>> | AsyncIterable<Unit<F>>,
): AsyncGenerator<readonly Unit<F>[]> {
  let batch: Unit<F>[] = []
  let bytes = 0
  let last: string | undefined
  for await (const unit of units) {
    const id = unit[0] && placeIds(unit[0].name).id
    // Files that make the same id come together: whether they are different calls is seen within an import.
    if ((batch.length >= BATCH_FILES || bytes >= BATCH_BYTES) && id !== last) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(unit)
    bytes += unit.reduce((sum, file) => sum + file.bytes, 0)
    last = id
  }
  if (batch.length > 0) yield batch
}

/** What a run did, in a sentence. @param left why files were left alone */
export function takenSummary(counts: DropCounts, left: string): string {
  const { files_done: done, files_failed: failed, files_waiting: waiting } = counts
  const stored = `${counts.calls_stored} calls stored (${counts.calls_replaced} replaced) from ${done + failed} files`
  const set = failed === 0 ? '' : `; ${failed} files set aside with ${counts.records_rejected} rejected records`
  return `${stored}${set}${waiting === 0 ? '' : `; ${waiting} files left alone, ${left}`}`
}
