import { z } from 'zod'
import type { GuardedFolder } from '../../base/guarded-folder.js'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { DONE, type DroppedFile, droppedFiles, FAILED, isUnchanged } from '../folders/dropped-files.js'
import { folderName } from '../folders/folder-name.js'
import { importFolderOf } from '../folders/import-folder-of.js'
import { type DropPlace, formatParameter, noCounts, takeIn, takenSummary } from '../folders/take-in.js'
import { type TaskContext, taskKind } from '../task-kind.js'

const parameters = z.strictObject({
  folder: folderName,
  format: formatParameter,
  settle_seconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(30)
    .meta({ description: 'A file that changed less long ago is still being written, and left alone' }),
})

/**
 * A drop folder: takes in the files that lie there and moves them to done/; those with a faulty record to failed/, beside
 * a report of what was rejected. Good records of a faulty file are taken in all the same. A file that was taken in and not
 * moved, when a run is cut off, is taken in again, which changes nothing.
 */
export const importFolder = taskKind({
  name: 'import_folder',
  title: 'Import the files of a drop folder; done ones are moved to done/, faulty ones to failed/ with a report',
  parameters,
  isHere: (_, { importDir }) => importDir !== undefined,
  check: async ({ folder }, setting) => {
    await importFolderOf(setting, folder)
  },
  run: async ({ folder: name, format, settle_seconds: settle }, context) => {
    const folder = await importFolderOf(context, name)
    const { units, waiting } = await droppedFiles(folder.path, settle * 1000, context.now)
    const counts = { ...noCounts(), files_waiting: waiting }
    if (units.length + waiting === 0) return { summary: 'The folder is empty', result: counts }
    await takeIn(units, placeOf(folder, context.log), format, context, counts)
    return {
      summary: takenSummary(counts, 'still being written or without the other of their call'),
      result: { ...counts },
    }
  },
})

function placeOf(folder: GuardedFolder, log: TaskContext['log']): DropPlace<DroppedFile> {
  return {
    width: 1,
    input: ({ name, path, bytes, changedMs }) => ({
      name,
      path,
      size: bytes,
      writtenMs: changedMs,
      openFile: (one: string) => folder.openFile(one),
    }),
    isWhole: isUnchanged,
    moveDone: ({ name, path }) => moveTo(folder, path, `${DONE}/${name}`),
    setAside: async ({ name, path }, report) => {
      const place = await folder.freeName(`${FAILED}/${name}`)
      if (report !== undefined) await folder.write(`${place}.rejects.ndjson`, report)
      await moveTo(folder, path, place)
      log.warn({ file: place }, 'a file of the drop folder was set aside')
      return true
    },
  }
}

async function moveTo(folder: GuardedFolder, path: string, to: string): Promise<true> {
  try {
    await folder.move(path, to)
    return true
  } catch (error) {
    const { code = 'unknown cause' } = error as NodeJS.ErrnoException
    const problem = new Problem('not_configured', `A file that was imported can't be moved to ${echo(to)} (${code})`)
    problem.cause = error
    throw problem
  }
}
