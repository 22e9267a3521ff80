import { finished } from 'node:stream/promises'
import { z } from 'zod'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { importRubric } from '../../evaluation/run/import-rubric.js'
import { formats } from '../../ingest/formats/formats.js'
import { importCalls } from '../../ingest/import-calls.js'
import { placeIds } from '../../ingest/place-id.js'
import { DONE, type DroppedUnit, droppedFiles, FAILED, isUnchanged } from '../folders/dropped-files.js'
import { FileRejects } from '../folders/file-rejects.js'
import { folderName } from '../folders/folder-name.js'
import type { GuardedFolder } from '../../base/guarded-folder.js'
import { importFolderOf } from '../folders/import-folder-of.js'
import { type TaskContext, taskKind } from '../task-kind.js'

/** Files are imported so many, or so many bytes, at a time, and moved when those are in the store. */
const BATCH_FILES = 500
const BATCH_BYTES = 64 * 1024 * 1024

const formatNames = formats.map(({ name }) => name)

const parameters = z.strictObject({
  folder: folderName,
  format: z
    .string()
    .max(100)
    .refine(name => formatNames.includes(name), { error: `must be one of ${formatNames.join(', ')}` })
    .optional()
    .meta({ description: 'Format to read every file as; recognised by its content when absent' }),
  settle_seconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(30)
    .meta({ description: 'A file that changed less long ago is still being written, and left alone' }),
})
type Parameters = z.output<typeof parameters>

interface Counts {
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

/**
 * A drop folder: takes in the files that lie there and moves them to done/; those with a faulty record to failed/, beside
 * a report of what was rejected. Good records of a faulty file are taken in all the same. A file that was taken in and not
 * moved, when a run is cut off, is taken in again, which changes nothing.
 */
export const importFolder = taskKind({
  name: 'import_folder',
  title: 'Import the files of a drop folder; done ones are moved to done/, faulty ones to failed/ with a report',
  parameters,
  check: async ({ folder }, setting) => {
    await importFolderOf(setting, folder)
  },
  run: async (given, context) => {
    const folder = await importFolderOf(context, given.folder)
    const { units, waiting } = await droppedFiles(folder.path, given.settle_seconds * 1000, context.now)
    const counts: Counts = {
      files_done: 0,
      files_failed: 0,
      files_waiting: waiting,
      calls_stored: 0,
      calls_replaced: 0,
      calls_evaluated: 0,
      records_rejected: 0,
    }
    for (const batch of batches(units)) await takeIn(batch, folder, given, context, counts)
    return { summary: summaryOf(counts), result: { ...counts } }
  },
})

async function takeIn(
  units: readonly DroppedUnit[],
  folder: GuardedFolder,
  { format }: Parameters,
  { services, project, signal, log, taskId }: TaskContext,
  counts: Counts,
): Promise<void> {
  signal.throwIfAborted()
  const files = units.flat()
  const rejects = new FileRejects()
  const report = await importCalls({
    inputs: files.map(({ name, path, bytes, changedMs }) => ({
      name,
      path,
      size: bytes,
      writtenMs: changedMs,
      openFile: (one: string) => folder.openFile(one),
    })),
    projectId: project.project_id,
    store: services.calls,
    rejects,
    redact: project.redact ?? false,
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
  counts.records_rejected += report.rejected
  if (report.future_calls !== undefined) counts.future_calls = (counts.future_calls ?? 0) + report.future_calls
  for (const unit of units) {
    // Written to while it was read: what is there now is taken next time.
    const unchanged = await Promise.all(unit.map(isUnchanged))
    if (unchanged.includes(false)) counts.files_waiting += unit.length
    else if (unit.some(({ name }) => rejects.has(name))) {
      counts.files_failed += unit.length
      for (const { name, path } of unit) {
        // The report first: a file that is not moved yet is reported again.
        const place = await folder.freeName(`${FAILED}/${name}`)
        if (rejects.has(name)) await folder.write(`${place}.rejects.ndjson`, rejects.report(name))
        await moveTo(folder, path, place)
        log.warn({ file: place }, 'a file of the drop folder was set aside')
      }
    } else {
      counts.files_done += unit.length
      for (const { name, path } of unit) await moveTo(folder, path, `${DONE}/${name}`)
    }
  }
}

async function moveTo(folder: GuardedFolder, path: string, to: string): Promise<void> {
  try {
    await folder.move(path, to)
  } catch (error) {
    const { code = 'unknown cause' } = error as NodeJS.ErrnoException
    const problem = new Problem('not_configured', `A file that was imported can't be moved to ${echo(to)} (${code})`)
    problem.cause = error
    throw problem
  }
}

function* batches(units: readonly DroppedUnit[]): Generator<readonly DroppedUnit[]> {
  let batch: DroppedUnit[] = []
  let bytes = 0
  let last: string | undefined
  for (const unit of units) {
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

function summaryOf(counts: Counts): string {
  const { files_done: done, files_failed: failed, files_waiting: waiting } = counts
  if (done + failed + waiting === 0) return 'The folder is empty'
  const stored = `${counts.calls_stored} calls stored (${counts.calls_replaced} replaced) from ${done + failed} files`
  const set = failed === 0 ? '' : `; ${failed} files set aside with ${counts.records_rejected} rejected records`
  const left =
    waiting === 0 ? '' : `; ${waiting} files left alone, still being written or without the other of their call`
  return `${stored}${set}${left}`
}
