import { z } from 'zod'
import { placeNameFault } from '../../base/place-name.js'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { type Bucket, objectsBelow } from '../../ingest/bucket/bucket.js'
import { BucketFault } from '../../ingest/bucket/bucket-fault.js'
import type { BucketObject } from '../../ingest/bucket/listing.js'
import { ObjectReader } from '../../ingest/bucket/object-reader.js'
import { DONE, FAILED, isPassedOver } from '../folders/dropped-files.js'
import { folderName } from '../folders/folder-name.js'
import { type DropPlace, formatParameter, noCounts, takeIn, takenSummary } from '../folders/take-in.js'
import { type TaskContext, type TaskSetting, taskKind } from '../task-kind.js'

/** Longest key there may be, in bytes, and largest object that can be copied at once. */
const MOST_KEY_BYTES = 1_024
const MOST_COPIED_BYTES = 5 * 1024 ** 3
/** Objects that are moved, or fetched, at a time. */
const WIDTH = 16
/** Most objects that the log names in a run. */
const MOST_NAMED = 100
const REPORT_ENDING = '.rejects.ndjson'

const parameters = z.strictObject({ folder: folderName, format: formatParameter })

interface Dropped extends BucketObject {
  /** Below the folder. */
  readonly name: string
}

/**
 * A drop folder in a bucket: takes in the objects that lie there and moves them to done/, each run to a folder of its own;
 * those with a faulty record to failed/, beside a report. What is moved is not listed again. An object that was taken in and
 * not moved, when a run is cut off, is taken in again, which changes nothing.
 */
export const importBucket = taskKind({
  name: 'import_bucket',
  title:
    'Import the objects below a prefix of the bucket; done ones are moved to done/, faulty ones to failed/ with a report',
  parameters,
  check: async ({ folder }, setting) => {
    const bucket = bucketOf(setting)
    if (setting.isRun) return
    const page = bucket.page(prefixOf(setting, folder), { most: 1 }, AbortSignal.timeout(60_000))
    await page.catch(problemOf)
  },
  run: async ({ folder, format }, context) => {
    const bucket = bucketOf(context)
    const prefix = prefixOf(context, folder)
    const counts = { ...noCounts(), files_refused: 0 }
    const noted = new Noted(context)
    const ended = new AbortController()
    const signal = AbortSignal.any([context.signal, ended.signal])
    const reader = new ObjectReader(bucket, {
      width: WIDTH,
      signal,
      onUnread: ({ key }, { message }) => noted.tell(key, message),
      onEnd: fault => ended.abort(fault),
    })
    const day = new Date(context.now).toISOString().slice(0, 10)
    const placeIn = (top: string, name: string) => `${prefix}${top}/${day}-${context.runId}/${name}`
    async function* units(): AsyncGenerator<readonly Dropped[]> {
      for await (const object of objectsBelow(bucket, prefix, [DONE, FAILED], signal)) {
        const name = object.key.slice(prefix.length)
        if (isPassedOver(name)) continue
        const longest = bucket.keyBytes(placeIn(FAILED, name)) + REPORT_ENDING.length
        const fault =
          placeNameFault(name) ??
          (longest > MOST_KEY_BYTES ? `must have ${longest - MOST_KEY_BYTES} bytes less to be moved` : undefined) ??
          (object.bytes > MOST_COPIED_BYTES ? 'must have at most 5 GiB to be moved' : undefined)
        if (fault === undefined) yield [{ ...object, name }]
        else {
          counts.files_refused += 1
          noted.tell(object.key, fault)
        }
      }
    }
    const moved = async (object: Dropped, to: string): Promise<boolean> => {
      try {
        await bucket.move(object, to, signal)
        return true
      } catch (error) {
        if (!(error instanceof BucketFault) || error.about !== 'object') throw error
        noted.tell(object.key, error.message)
        return false
      }
    }
    const place: DropPlace<Dropped> = {
      width: WIDTH,
      input: object => ({
        name: object.name,
        size: object.bytes,
        writtenMs: object.changedMs,
        open: reader.opener(object),
      }),
      isWhole: async object => !reader.unread.has(object),
      moveDone: object => moved(object, placeIn(DONE, object.name)),
      setAside: async (object, report) => {
        const to = placeIn(FAILED, object.name)
        if (report !== undefined) await bucket.write(`${to}${REPORT_ENDING}`, report, signal)
        noted.tell(to, 'was set aside')
        return await moved(object, to)
      },
    }
    try {
      await takeIn(units(), place, format, { ...context, signal }, counts)
    } catch (error) {
      context.signal.throwIfAborted()
      problemOf(error)
    }
    return { summary: summaryOf(counts), result: { ...counts } }
  },
})

/** Names objects in the log, up to a number. */
class Noted {
  readonly #log: TaskContext['log']
  #told = 0

  constructor({ log }: Pick<TaskContext, 'log'>) {
    this.#log = log
  }

  tell(key: string, why: string): void {
    this.#told += 1
    if (this.#told <= MOST_NAMED) this.#log.warn({ object: echo(key), why }, 'an object of the bucket')
    if (this.#told === MOST_NAMED) this.#log.warn('further objects of the bucket are only counted')
  }
}

function bucketOf({ services }: TaskSetting): Bucket {
  if (services.bucket !== undefined) return services.bucket
  throw new Problem('invalid_input', 'Tasks of this kind need EARSHOT_S3_BUCKET, which is not set')
}

/** A project sees what lies below its own id and nothing else; a name that begins with it means the same. */
function prefixOf({ project }: TaskSetting, folder: string): string {
  const parts = folder.split('/')
  const { project_id: projectId } = project
  return `${(parts[0] === projectId ? parts : [projectId, ...parts]).join('/')}/`
}

function problemOf(error: unknown): never {
  if (!(error instanceof BucketFault)) throw error
  const problem = new Problem('not_configured', error.message)
  problem.cause = error
  throw problem
}

function summaryOf(counts: Parameters<typeof takenSummary>[0] & { readonly files_refused: number }): string {
  const { files_done: done, files_failed: failed, files_waiting: waiting, files_refused: refused } = counts
  if (done + failed + waiting + refused === 0) return 'The folder is empty'
  const why =
    refused === 0 ? '' : `; ${refused} refused by their names or size and left where they are: the log names them`
  return `${takenSummary(counts, 'that could not be read or were written anew')}${why}`
}
