import { errorCode } from '../../base/error-code.js'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HeldBytes } from '../held-bytes.js'
import { InputFault } from '../input-fault.js'
import type { InputFile } from '../input-file.js'
import { parseJson } from '../parse-json.js'
import type { Piece, RawRecord, Reject } from '../piece.js'
import { recordTooLong } from '../record-too-long.js'
import { wholeFile } from '../whole-file.js'
import type { OpenFile } from '../sources.js'
import type { CutLimits, Format } from './format.js'
import { harperValleyRecord } from './harper-valley/harper-valley-record.js'

const OTHER: Readonly<Record<string, string>> = { metadata: 'transcript', transcript: 'metadata' }

/** The two files of a call: the same name in the folders metadata/ and transcript/ beside each other. */
function placeOf(path: string | undefined): { folder: string; other: string } | undefined {
  if (path === undefined) return undefined
  const folder = basename(dirname(path))
  const beside = OTHER[folder]
  return beside === undefined ? undefined : { folder, other: join(dirname(dirname(path)), beside, basename(path)) }
}

/** The other file of a JSON file in metadata/ or transcript/, where both folders are. */
function besideOf(path: string): string | undefined {
  const other = path.endsWith('.json') ? placeOf(path)?.other : undefined
  return other !== undefined && existsSync(dirname(other)) ? other : undefined
}

function isMetadata(head: string): boolean {
  return /^\s*\{/.test(head) && /"sid"\s*:/.test(head) && /"agent_name"\s*:/.test(head) && /"tasks"\s*:/.test(head)
}

function isTranscript(head: string): boolean {
  return /^\s*\[\s*\{/.test(head) && /"speaker_role"\s*:/.test(head) && /"offset_ms"\s*:/.test(head)
}

/** The other file's content, which lies where the corpus puts it and is as small. */
async function companionOf(path: string, openFile: OpenFile, limits: CutLimits): Promise<Buffer> {
  const file = await openFile(path).catch((error: unknown) => {
    throw new InputFault(`has a transcript that can't be read (${errorCode(error) ?? 'unknown cause'})`)
  })
  try {
    const { size } = await file.stat()
    if (size > limits.recordBytes) throw new InputFault(`has a transcript that ${recordTooLong(limits)}`)
    const held = new HeldBytes()
    held.add(await file.readFile())
    return held.take()
  } finally {
    await file.close()
  }
}

async function* cutPair(file: InputFile, limits: CutLimits): AsyncGenerator<Piece | Reject> {
  const reject = (message: string): Reject => ({ file: file.name, line: 1, path: '', message })
  const place = placeOf(file.path)
  if (place === undefined) {
    yield reject('is one of two files of a call, in the folders metadata/ and transcript/: give the folder above them')
    return
  }
  const name = `${OTHER[place.folder]}/${basename(place.other)}`
  if (!existsSync(place.other)) {
    yield reject(`has no ${name} beside it: a call needs both files`)
    return
  }
  // A transcript comes with its metadata, when that file is read.
  if (place.folder === 'transcript') return
  try {
    const bytes = await wholeFile(file.chunks, limits)
    const companion = await companionOf(place.other, file.openFile, limits)
    yield { file: file.name, line: 1, kind: 'value', at: '', bytes, companion, unended: false }
  } catch (error) {
    if (!(error instanceof InputFault)) throw error
    yield reject(error.message)
  }
}

function* readPair({ bytes, companion, line, at }: Piece): Generator<RawRecord> {
  const metadata = parseJson(bytes, true)
  const transcript = parseJson(companion ?? new Uint8Array(), true)
  if ('fault' in metadata) yield { line, at, fault: metadata.fault }
  else if ('fault' in transcript) {
    yield { line, at, fault: { path: 'transcript', message: `${transcript.fault.message} (the transcript's file)` } }
  } else {
    const made = harperValleyRecord(metadata.value, transcript.value)
    yield 'fault' in made ? { line, at, fault: made.fault } : { line, at, value: made.record }
  }
}

/**
 * The Gridspace-Stanford Harper Valley corpus in its own layout: metadata/ID.json and transcript/ID.json. A file is
 * recognised by its place too, so that a damaged one is reported as what it is.
 */
export const harperValley: Format = {
  name: 'harper-valley',
  title: 'the Harper Valley corpus: a folder with metadata/ and transcript/',
  page: {
    recognised: "the corpus's folders `metadata/` and `transcript/`; a call is two files",
    documented: ['https://github.com/cricketclub/gridspace-stanford-harper-valley'],
    agent: '`speaker_role`',
    taken:
      '`sid` → session_id; names of agent and caller; start, end; what a person wrote down, else what a machine heard',
    lost: 'dialog acts, emotions, what the machine heard where a person wrote it down',
  },

  recognises({ head, path }) {
    if (isMetadata(head) || isTranscript(head)) return true
    return path !== undefined && besideOf(path) !== undefined
  },

  companion: besideOf,

  cut: cutPair,
  read: readPair,
}
