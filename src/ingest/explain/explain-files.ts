import type { ThreadWork } from '../../admission/threads.js'
import { Problem } from '../../base/problem.js'
import type { CallRecord } from '../../calls/call-record.js'
import { callRecords } from '../formats/call-records.js'
import { formatOf, formats } from '../formats/formats.js'
import type { Shape } from '../formats/shape/shape-of.js'
import { InputFault } from '../input-fault.js'
import { type InputFile, openInput } from '../input-file.js'
import { parseMaps } from '../mapping/parse-map.js'
import { faultText } from '../piece.js'
import type { PlacedRecord } from '../prepare-pieces.js'
import type { Reading } from '../reading.js'
import type { RecordWarning } from '../record-warnings.js'
import { bytesSource, findSources, type Source } from '../sources.js'
import { tasksOf } from '../tasks-of.js'
import { createPreparer, type Preparer } from '../worker-pool.js'
import { nearestFormat, type NearestFormat } from './nearest-format.js'
import { suggestMaps } from './suggest-maps.js'

/** Most files that are looked into; further ones are only counted. */
const MOST_FILES = 2_000
/** Most files of no format that are told of, and most of their fields. */
const MOST_UNKNOWN = 20
const MOST_FIELDS = 40
/** Reasons told of a format. */
const MOST_REASONS = 5
const PIECE = { pieceBytes: 256 * 1024, pieceRecords: 2_048 }
/** Inputs of up to this many bytes in all are read in this thread. */
const SMALL_BYTES = 256 * 1024

/** What is true of calls that is worth knowing before they are taken; ends of sentences that begin "N of M calls". */
const FACTS = {
  fileNamed: 'are dated by the time in the name of their file',
  fileWritten: 'are dated by when their file was last written',
  noTranscript: 'have no transcript',
  noStart: 'have no times of turns',
  noEnd: 'have no end times of turns',
  greeting: 'have their agent by who greets first',
  noLanguage: 'do not say their language',
  noDirection: 'do not say who called whom',
} as const
type FactKind = keyof typeof FACTS

/** What files of one format are. */
export interface ExplainedFormat {
  readonly format: string
  readonly title: string
  /** How the agent is found. */
  readonly agent_by: string
  readonly files: number
  readonly calls: number
  readonly rejected: number
  readonly facts: readonly { readonly fact: string; readonly calls: number }[]
  /** Why records would be rejected, commonest first. */
  readonly reasons: readonly { readonly reason: string; readonly records: number }[]
}

/** A file of no format. */
export interface UnknownFile {
  readonly file: string
  readonly why: string
  /** Fields it has, of JSON; `[]` stands for the entries of a list. */
  readonly fields?: readonly string[]
  readonly nearest?: NearestFormat
  /** Mappings made from its fields, as behind `--map`. */
  readonly maps?: readonly string[]
  /** Whether calls would be taken with them, and else why not. */
  readonly taken_with_maps?: boolean
  readonly still?: string
}

export interface Explanation {
  readonly files: number
  /** Files that were not looked into, of more than 2,000. */
  readonly not_looked_into?: number
  readonly formats: readonly ExplainedFormat[]
  readonly unknown_files: number
  readonly unknown: readonly UnknownFile[]
}

interface Counts {
  files: number
  calls: number
  rejected: number
  readonly facts: Map<FactKind, number>
  readonly reasons: Map<string, number>
}

function sumOf(before: Counts | undefined, added: Counts): Counts {
  if (before === undefined) return added
  before.files += added.files
  before.calls += added.calls
  before.rejected += added.rejected
  for (const [fact, calls] of added.facts) addTo(before.facts, fact, calls)
  for (const [reason, records] of added.reasons) addTo(before.reasons, reason, records)
  return before
}

function addTo<Key>(counts: Map<Key, number>, key: Key, more = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + more)
}

/**
 * Says what files are, and what would become of them, without a store: nothing is written.
 *
 * @throws Problem `not_found` for a path that does not exist, `invalid_input` for standard input, which can be read once
 */
export async function explainFiles(
  inputs: readonly string[],
  reading: Reading,
  recordBytes: number,
): Promise<Explanation> {
  if (inputs.includes('-'))
    throw new Problem('invalid_input', 'Only files and folders can be explained, not standard input')
  const sources = await findSources(inputs)
  const bytes = sources.slice(0, MOST_FILES).reduce((sum, { size }) => sum + (size ?? 0), 0)
  return await explainSources(sources, reading, recordBytes, createPreparer(bytes <= SMALL_BYTES ? 0 : 1))
}

/** What is explained where others' threads do it: bytes under a name. */
interface ExplainTask {
  readonly name: string
  readonly bytes: Uint8Array
  readonly reading: Reading
  readonly recordBytes: number
}

export const EXPLAIN_UPLOAD: ThreadWork<ExplainTask, Explanation> = { name: 'explainUpload', deadlineMs: 30_000 }

/** What a thread runs. */
export async function explainUpload({ name, bytes, reading, recordBytes }: ExplainTask): Promise<Explanation> {
  const source = bytesSource(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  return await explainSources([source], reading, recordBytes, createPreparer(0))
}

async function explainSources(
  sources: readonly Source[],
  reading: Reading,
  recordBytes: number,
  preparer: Preparer,
): Promise<Explanation> {
  const looked = sources.slice(0, MOST_FILES)
  const byFormat = new Map<string, Counts>()
  const unknown: UnknownFile[] = []
  let unknownFiles = 0
  try {
    // oxlint-disable no-await-in-loop -- one file at a time bounds the memory
    for (const source of looked) {
      const found = await lookInto(source, reading)
      const counts = 'format' in found ? await count(source, reading, recordBytes, preparer) : undefined
      const why = 'why' in found ? found.why : counts && whyNoneOfOurs(found.format, counts, reading)
      const about =
        why === undefined || unknown.length === MOST_UNKNOWN
          ? undefined
          : await explainUnknown(source, { why, shape: found.shape }, reading, recordBytes, preparer)
      if ('format' in found && counts !== undefined && about?.taken_with_maps !== true) {
        byFormat.set(found.format, sumOf(byFormat.get(found.format), counts))
      } else {
        unknownFiles += 1
        if (about !== undefined) unknown.push(about)
      }
    }
    // oxlint-enable no-await-in-loop
  } finally {
    await preparer.close()
  }
  return {
    files: sources.length,
    ...(sources.length > looked.length && { not_looked_into: sources.length - looked.length }),
    formats: [...byFormat].map(([name, counts]) => explained(name, counts)),
    unknown_files: unknownFiles,
    unknown,
  }
}

type Looked = { readonly shape: Shape } & ({ readonly format: string } | { readonly why: string })

async function lookInto(source: Source, { mapping }: Reading): Promise<Looked> {
  let input: InputFile
  try {
    const { name, path, openFile } = source
    input = await openInput({ name, path, openFile, stream: source.open() }, () => undefined)
  } catch (error) {
    if (!(error instanceof InputFault)) throw error
    return { why: error.message, shape: new Map() }
  }
  try {
    const { format, isUnknown } = formatOf(input, mapping)
    // JSON of no format is read as call records: with mappings that is what is asked for.
    if (format !== undefined && (!isUnknown || mapping.length > 0)) return { format: format.name, shape: input.shape }
    return { why: input.head.trim() === '' ? 'is empty' : 'is of no format that import knows', shape: input.shape }
  } finally {
    await input.close()
  }
}

async function count(source: Source, reading: Reading, recordBytes: number, preparer: Preparer): Promise<Counts> {
  const counts: Counts = { files: 1, calls: 0, rejected: 0, facts: new Map(), reasons: new Map() }
  const options = {
    format: undefined,
    reading,
    evaluatesExported: false,
    limits: { recordBytes, ...PIECE },
    onBytes: () => undefined,
    signal: undefined,
    inputBytes: undefined,
  }
  const reject = (reason: string): void => {
    counts.rejected += 1
    addTo(counts.reasons, reason)
  }
  for await (const cut of tasksOf(source, options)) {
    if (cut.kind === 'reject') reject(cut.reject.message)
    if (cut.kind !== 'task') continue
    const { records, rejects } = await preparer.run(cut.task)
    for (const fault of rejects) reject(faultText(fault))
    counts.calls += records.length
    for (const record of records) {
      for (const fact of factsOf(record)) addTo(counts.facts, fact)
    }
  }
  return counts
}

/**
 * Why there are no records of ours in what was taken for such: one that has an `agent` and turns with a `speaker` is known by its
 * session_id, and lacks what mappings would say.
 */
function whyNoneOfOurs(format: string, { calls, reasons }: Counts, { mapping }: Reading): string | undefined {
  if (format !== callRecords.name || calls > 0 || mapping.length > 0) return undefined
  const lacking = [...reasons.keys()].find(reason => reason.endsWith(' is missing'))
  return lacking && `looks like ${callRecords.name}, but ${lacking}`
}

function factsOf({ json, warnings = [] }: PlacedRecord): readonly FactKind[] {
  const call = JSON.parse(Buffer.from(json).toString('utf8')) as CallRecord
  const turns = call.transcript ?? []
  const is = (warning: RecordWarning) => warnings.includes(warning)
  const holds: Readonly<Record<FactKind, boolean>> = {
    fileNamed: is('fileNamed'),
    fileWritten: is('fileWritten'),
    noTranscript: turns.length === 0,
    noStart: turns.length > 0 && turns.every(({ start_s: start }) => start === undefined),
    noEnd:
      turns.some(({ start_s: start }) => start !== undefined) && turns.every(({ end_s: end }) => end === undefined),
    greeting: call.session_metadata?.['agent_speaker_by'] === 'greeting',
    noLanguage: call.language_primary === undefined,
    noDirection: call.interaction_direction === undefined,
  }
  return (Object.keys(holds) as FactKind[]).filter(fact => holds[fact])
}

function explained(name: string, { files, calls, rejected, facts, reasons }: Counts): ExplainedFormat {
  const format = formats.find(candidate => candidate.name === name)
  return {
    format: name,
    title: format?.title ?? name,
    agent_by: (format?.page.agent ?? '').replaceAll('`', ''),
    files,
    calls,
    rejected,
    facts: [...facts].map(([fact, of]) => ({ fact: FACTS[fact], calls: of })),
    reasons: [...reasons]
      .map(([reason, records]) => ({ reason, records }))
      .toSorted((a, b) => b.records - a.records)
      .slice(0, MOST_REASONS),
  }
}

async function explainUnknown(
  source: Source,
  { why, shape }: { readonly why: string; readonly shape: Shape },
  reading: Reading,
  recordBytes: number,
  preparer: Preparer,
): Promise<UnknownFile> {
  if (shape.size === 0) return { file: source.name, why }
  const nearest = nearestFormat(shape)
  const fields = [...shape.keys()].slice(0, MOST_FIELDS)
  const about = { file: source.name, why, fields, ...(nearest && { nearest }) }
  let tried: Pick<UnknownFile, 'maps' | 'taken_with_maps' | 'still'> = {}
  for (const maps of suggestMaps(shape)) {
    // oxlint-disable-next-line no-await-in-loop -- the second is tried where the first doesn't do
    const { calls, reasons } = await count(source, { ...reading, mapping: parseMaps(maps) }, recordBytes, preparer)
    if (calls > 0) return { ...about, maps, taken_with_maps: true }
    const [still] = reasons.keys()
    tried = { maps, taken_with_maps: false, ...(still !== undefined && { still }) }
  }
  return { ...about, ...tried }
}
