import { addAbortSignal } from 'node:stream'
import { echo } from '../base/text.js'
import { cutLines } from './cut-lines.js'
import type { EntryLine } from './entries.js'
import { callRecords } from './formats/call-records.js'
import type { CutLimits, Format } from './formats/format.js'
import { formatOf, formats } from './formats/formats.js'
import { unknownHint } from './explain/nearest-format.js'
import { InputFault } from './input-fault.js'
import { type InputFile, openInput } from './input-file.js'
import type { Piece, Reject } from './piece.js'
import type { PrepareTask } from './prepare-pieces.js'
import type { Reading } from './reading.js'
import type { Source } from './sources.js'
import { beginsExport, type Entries, splitEntries } from './split-entries.js'

/** Most small pieces that travel together. */
const MOST_PIECES = 256

/** What comes off an input: work for the workers, what can't be worked on, or that it is none of ours. */
export type Cut =
  | { readonly kind: 'task'; readonly task: PrepareTask }
  | { readonly kind: 'reject'; readonly reject: Reject }
  | { readonly kind: 'entries'; readonly entries: readonly EntryLine[] }
  | { readonly kind: 'skipped' }

export interface ReadOptions {
  /** Reads every input as this format, whatever it looks like. */
  readonly format: Format | undefined
  readonly reading: Reading
  /** Calls in exports of projects are evaluated like others. */
  readonly evaluatesExported: boolean
  readonly limits: CutLimits
  /** Hears how many bytes were read, compressed as they are. */
  readonly onBytes: (bytes: number) => void
  readonly signal: AbortSignal | undefined
  /** Most bytes of one input, decompressed. */
  readonly inputBytes: number | undefined
}

/** Opens a source, finds its format and cuts it into tasks of about `limits.pieceBytes`. */
export async function* tasksOf(source: Source, options: ReadOptions): AsyncGenerator<Cut> {
  const reject = (message: string): Cut => ({
    kind: 'reject',
    reject: { file: source.name, line: 1, path: '', message },
  })
  let input: InputFile
  try {
    const stream = source.open()
    // An import that waits for input, from a terminal say, ends too.
    if (options.signal !== undefined) addAbortSignal(options.signal, stream)
    const { name, path, openFile } = source
    input = await openInput({ name, path, openFile, stream }, options.onBytes, options.inputBytes)
  } catch (error) {
    if (!(error instanceof InputFault)) throw error
    yield reject(error.message)
    return
  }
  try {
    const found = options.format === undefined ? formatOf(input, options.reading.mapping) : { format: options.format }
    const { format } = found
    const unknown =
      'isUnknown' in found && found.isUnknown && input.shape.size > 0 ? unknownHint(input.shape) : undefined
    if (format === callRecords && beginsExport(input.head)) {
      // Calls of an export stay as they were, unless it is asked otherwise.
      const cut = splitEntries(cutLines(input, options.limits))
      yield* gathered(
        cut,
        {
          format: format.name,
          reading: options.reading,
          ids: source.ids,
          writtenMs: source.writtenMs,
          evaluated: !options.evaluatesExported,
        },
        options,
      )
    } else if (format !== undefined) {
      const cut = format.cut(input, options.limits, options.reading)
      const { ids, writtenMs } = source
      yield* gathered(cut, { format: format.name, reading: options.reading, ids, writtenMs, unknown }, options)
    } else if (source.walked) yield { kind: 'skipped' }
    else if (RECORDING.test(input.head)) {
      yield reject('is a recording: "earshot transcribe" has it transcribed, and its transcript can be imported')
    } else if (input.head.trim() !== '') yield reject(`is of no format import knows (${names()})`)
  } finally {
    await input.close()
  }
}

/** The beginning of wav, ogg and opus, mp3 with a title, and m4a, read as text. */
const RECORDING = /^(?:RIFF[^]{1,4}WAVE|OggS|ID3|[^]{1,4}ftyp)/

function names(): string {
  return formats.map(({ name }) => echo(name)).join(', ')
}

async function* gathered(
  cut: AsyncIterable<Piece | Reject | Entries>,
  like: Omit<PrepareTask, 'pieces' | 'memory'>,
  { limits }: ReadOptions,
): AsyncGenerator<Cut> {
  let pieces: Piece[] = []
  let bytes = 0
  let records = 0
  const task = (): Cut => {
    const full = { ...like, pieces }
    pieces = []
    bytes = 0
    records = 0
    return { kind: 'task', task: full }
  }
  for await (const piece of cut) {
    if ('entries' in piece) {
      if (pieces.length > 0) yield task()
      yield { kind: 'entries', entries: piece.entries }
      continue
    }
    if (!('bytes' in piece)) {
      yield { kind: 'reject', reject: piece }
      continue
    }
    pieces.push(piece)
    bytes += piece.bytes.length
    records += piece.records ?? 1
    const isFull = pieces.length === MOST_PIECES || records >= limits.pieceRecords
    if (isFull || bytes >= limits.pieceBytes) yield task()
  }
  if (pieces.length > 0) yield task()
}
