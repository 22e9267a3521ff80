import { createHash } from 'node:crypto'
import { mkdir, open, readFile, realpath, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import pLimit from 'p-limit'
import { z } from 'zod'
import { errorCode } from '../../base/error-code.js'
import { parsedJson } from '../../base/parsed-json.js'
import { placeNameFault } from '../../base/place-name.js'
import { Problem } from '../../base/problem.js'
import { ModelFault } from '../../evaluation/model/model-fault.js'
import { withoutEndings } from '../file-stem.js'
import { findSources } from '../sources.js'
import { MAGIC_BYTES, mediaTypeOf } from './recording-bytes.js'
import type { TranscribeOptions, TranscriptionClient } from './transcription-client.js'

/** Larger recordings are refused: each is in memory while it is sent. It is two hours of a telephone in stereo, uncompressed. */
const MOST_RECORDING_BYTES = 256 * 1024 * 1024

export interface TranscribeRun extends TranscribeOptions {
  /** Files and folders, which are walked. */
  readonly inputs: readonly string[]
  /** Folder that takes the transcripts, each at the place of its recording below the folder that was given. */
  readonly to: string
  readonly client: TranscriptionClient
  /** The directory that recordings are served from, where one is set: of those in it their place is noted. */
  readonly recordingsDir: string | undefined
  /** Recordings at a time. */
  readonly concurrency: number
  /** Most recordings that are sent. */
  readonly mostCalls: number | undefined
  readonly onProgress: (done: number, total: number) => void
  readonly signal: AbortSignal
}

export interface TranscribeReport {
  readonly recordings: number
  readonly transcribed: number
  /** Those whose transcript was there from before. */
  readonly kept: number
  /** Those that were not tried: the budget was spent, or the run was stopped. */
  readonly left: number
  readonly refused: readonly { readonly file: string; readonly message: string }[]
  /** Files that are no recordings. */
  readonly passed_over: number
  /** Why the run ended early: something has to be mended first. */
  readonly stopped?: string
}

interface Found {
  readonly file: string
  readonly target: string
  readonly place: string
  readonly mediaType: string
}

/** What a transcript says of its recording: by it a later run knows that it is done. */
const told = z.object({ earshot_recording: z.object({ sha256: z.string() }) })

/**
 * Has every recording transcribed whose transcript is not there yet, and writes the answers as they came, each dated like its
 * recording. One that fails costs itself alone.
 * @throws Problem `not_found` for an input that is not there, `cancelled` when it is interrupted
 */
export async function transcribeRecordings(run: TranscribeRun): Promise<TranscribeReport> {
  const { client, signal, concurrency, mostCalls = Infinity, onProgress } = run
  const { all, recordings, refused, passedOver } = await findRecordings(run)
  const counts = { transcribed: 0, kept: 0, left: 0 }
  let sent = 0
  let done = 0
  let stopped: string | undefined
  // The same recording twice is paid for once: where the first one's transcript is, by its hash.
  const written = new Map<string, Promise<string>>()
  const { kind: service, model } = client.endpoint
  const one = async (found: Found): Promise<keyof typeof counts> => {
    const { size, mtime } = await stat(found.file)
    if (size > MOST_RECORDING_BYTES) throw new ModelFault('is larger than 256 MiB: cut it, or compress it')
    const bytes = await readFile(found.file)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (await isDone(found.target, sha256)) return 'kept'
    const recording_url = await placeIn(run.recordingsDir, found.file)
    const earshot_recording = { file: found.place, ...(recording_url && { recording_url }), sha256, service, model }
    const write = (answer: object) => writeWhole(found.target, JSON.stringify({ ...answer, earshot_recording }), mtime)
    const same = written.get(sha256)
    if (same !== undefined) {
      await write(z.looseObject({}).parse(JSON.parse(await readFile(await same, 'utf8'))))
      return 'transcribed'
    }
    if (sent >= mostCalls) return 'left'
    sent += 1
    const first = client
      .transcribe({ name: basename(found.file), mediaType: found.mediaType, bytes }, run, signal)
      .then(async answer => {
        await write(answer)
        return found.target
      })
    written.set(sha256, first)
    await first
    return 'transcribed'
  }
  const limit = pLimit(concurrency)
  await Promise.all(
    recordings.map(found =>
      limit(async () => {
        if (stopped !== undefined || signal.aborted) {
          counts.left += 1
          return
        }
        try {
          counts[await one(found)] += 1
        } catch (error) {
          if (signal.aborted) return
          if (error instanceof ModelFault && error.final) {
            stopped ??= error.message
            counts.left += 1
            return
          }
          refused.push({ file: found.file, message: messageOf(error) })
        }
        done += 1
        onProgress(done, recordings.length)
      }),
    ),
  )
  signal.throwIfAborted()
  return {
    recordings: all,
    ...counts,
    refused: refused.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    passed_over: passedOver,
    ...(stopped !== undefined && { stopped }),
  }
}

async function findRecordings({ inputs, to }: TranscribeRun) {
  const recordings: Found[] = []
  const refused: { file: string; message: string }[] = []
  const taken = new Map<string, string>()
  let passedOver = 0
  let all = 0
  for (const input of inputs) {
    for (const { path: file, walked } of await findSources([input])) {
      if (file === undefined) throw new Problem('invalid_input', 'Recordings are files: standard input is none')
      const head = await beginningOf(file).catch(messageOf)
      if (typeof head === 'string') {
        refused.push({ file, message: head })
        continue
      }
      const mediaType = mediaTypeOf(head)
      if (mediaType === undefined) {
        if (walked) passedOver += 1
        else refused.push({ file, message: 'is no recording (wav, mp3, m4a, ogg, opus)' })
        continue
      }
      const place = walked ? relative(input, file) : basename(file)
      const target = join(to, `${withoutEndings(place)}.json`)
      const other = taken.get(target)
      if (other === file) continue
      all += 1
      if (other === undefined) {
        taken.set(target, file)
        recordings.push({ file, target, place, mediaType })
      } else refused.push({ file, message: `would have its transcript where that of ${other} is: rename one of them` })
    }
  }
  return { all, recordings, refused, passedOver }
}

/** The name of a recording below its project's folder, if that is where it is. */
async function placeIn(recordingsDir: string | undefined, file: string): Promise<string | undefined> {
  const directory = recordingsDir && (await realpath(recordingsDir).catch(() => undefined))
  if (directory === undefined) return undefined
  const [project, ...parts] = relative(directory, await realpath(file)).split(sep)
  const name = parts.join('/')
  return project === '..' || placeNameFault(name) !== undefined ? undefined : name
}

async function beginningOf(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Whether a recording's transcript is there. @throws ModelFault where another file is in its place */
async function isDone(target: string, sha256: string): Promise<boolean> {
  let text: string
  try {
    text = await readFile(target, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
  const { data } = told.safeParse(parsedJson(text))
  if (data === undefined) {
    throw new ModelFault(
      `would have its transcript in ${target}, which is there and is no transcript of "earshot transcribe"`,
    )
  }
  return data.earshot_recording.sha256 === sha256
}

/** Whole or not at all, and dated like its recording: of a call that nothing else dates, import takes that time. */
async function writeWhole(target: string, text: string, written: Date): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  // Hidden, so that an import passes over what is left of a run that was killed.
  const partial = join(dirname(target), `.${basename(target)}.part`)
  await writeFile(partial, text, { mode: 0o600 })
  await utimes(partial, written, written)
  await rename(partial, target)
}

function messageOf(error: unknown): string {
  if (error instanceof ModelFault) return error.message
  const code = errorCode(error)
  if (code === undefined) throw error
  return `could not be read, or its transcript not be written (${code})`
}
