import { createHash } from 'node:crypto'
import { isObject } from '../base/is-object.js'
import { echo } from '../base/text.js'
import type { CallRecord } from '../calls/call-record.js'
import { applyEvaluation, isBare } from '../evaluation/apply-evaluation.js'
import type { EvaluatedFields } from '../evaluation/evaluator.js'
import { evaluateIncoming, type IncomingEvaluated, type IncomingRules } from '../evaluation/run/evaluate-incoming.js'
import type { PlacedId } from '../store/store.js'
import type { Format } from './formats/format.js'
import { parseText } from './formats/json-records.js'
import { recordAsIs } from './as-is/record-as-is.js'
import { applyMap, fileTime } from './mapping/apply-map.js'
import { instantOf } from './formats/documents/times.js'
import { fileStem } from './file-stem.js'
import { isOfTurns } from './mapping/parse-map.js'
import { NO_TIME_ZONE } from './mapping/to-instant.js'
import type { Fault, Piece, RawRecord, Reject } from './piece.js'
import { type PlaceIds, contentId } from './place-id.js'
import { type PreparedRecord, type Preparation, prepareRecord } from './prepare-record.js'
import type { Reading } from './reading.js'
import type { RecordWarning } from './record-warnings.js'
import { type MaskCounts, addMasks, noMasks } from '../redact/mask.js'
import { formatNamed } from './formats/formats.js'
import { isReusable, type Packed, type PackMemory, TextPack } from './text-pack.js'

/** Pieces of one format, as one task of a worker. */
export interface PrepareTask {
  readonly format: string
  readonly reading: Reading
  readonly pieces: readonly Piece[]
  /** What the one call of the input is called where nothing in it says so; without them its content names it. */
  readonly ids?: PlaceIds | undefined
  /** When the input was last written, milliseconds since 1970; undefined for what is no file. */
  readonly writtenMs?: number | undefined
  /** What to say of a missing id where the input is of no format and is read as call records. */
  readonly unknown?: string | undefined
  /** They were evaluated where they come from, or were not to be: none is evaluated as it comes in. */
  readonly evaluated?: boolean
  /** Rejects that are told of; others are only counted. All of them when absent. */
  readonly mostRejects?: number | undefined
  /** Where the JSON of the records may be written; new memory without it. */
  readonly memory?: PackMemory | undefined
}

/** A prepared record and where it came from, for the reports on it that only the store can make. */
export interface PlacedRecord extends Omit<PreparedRecord, 'json'> {
  /** UTF-8, a part of the memory of its result. */
  readonly json: Uint8Array
  readonly file: string
  readonly line: number
  /** Present where its id is that of its file. */
  readonly placed?: PlacedId
  /** True for one evaluated as it came in, why not for one that could not be; absent for one that was not to be. */
  readonly evaluated?: true | string
  readonly warnings?: readonly RecordWarning[]
}

export interface PrepareResult {
  /** In the order of the input: of two equal ids the last one wins. */
  readonly records: readonly PlacedRecord[]
  readonly rejects: readonly Reject[]
  /** Further rejects, which are not told of. */
  readonly moreRejects: number
  /** Hidden characters taken out of free text. */
  readonly removed: number
  /** Places masked, by kind. */
  readonly masked: MaskCounts
  /** What the JSON of the records lies in. It may be written to again when nobody needs them any more. */
  readonly memory: readonly PackMemory[]
  /** Memory of the task that nothing lies in any more. */
  readonly unused: readonly PackMemory[]
}

/**
 * Reads and checks the records of some pieces, and evaluates those that bring no evaluation: the work of a worker.
 * @param rules what they are evaluated by; undefined leaves them as they are
 * @param evaluationMs most milliseconds for that
 */
export async function preparePieces(
  {
    format: name,
    reading,
    pieces,
    ids,
    writtenMs,
    unknown,
    evaluated: wasEvaluated = false,
    mostRejects = Infinity,
    memory: given,
  }: PrepareTask,
  rules?: IncomingRules,
  evaluationMs = EVALUATION_MS.own,
): Promise<PrepareResult> {
  const evaluate = rules && !wasEvaluated ? evaluating(rules, evaluationMs) : undefined
  const known = formatNamed(name)
  const format = unknown === undefined ? known : { ...known, missing: { session_id: unknown } }
  let made: TextPack | undefined
  const pack = () => (made ??= new TextPack(given))
  // Of records in a pack, which grows and moves: where they stand in it.
  const placed: (Omit<PlacedRecord, 'json'> & { readonly packed: Packed | Uint8Array })[] = []
  const rejects: Reject[] = []
  let moreRejects = 0
  let removed = 0
  const masked = noMasks()
  const take = (raw: RawRecord, piece: Piece): void => {
    const { line, at } = raw
    const { file } = piece
    const naming = namingOf(raw, piece, reading, ids)
    const prepared = prepare(raw, { file, writtenMs }, format, reading, evaluate, naming.missing)
    if ('faults' in prepared) {
      if (rejects.length < mostRejects) rejects.push(rejectOf(file, line, at, prepared.faults))
      else moreRejects += 1
      return
    }
    const { checked, evaluated, warnings, masked: counts } = prepared
    const { json, ...record } = prepared.record
    placed.push({
      ...record,
      packed: pack().add(json),
      file,
      line,
      ...(evaluated !== undefined && { evaluated }),
      ...(warnings !== undefined && { warnings }),
      ...(naming.isPlaced(record.session_id) && { placed: placedId(checked, record.session_id, ids) }),
    })
    removed += prepared.removed
    if (counts !== undefined) addMasks(masked, counts)
  }
  // What is mapped or masked is not stored as it came.
  const mayStay = reading.mapping.length === 0 && reading.redact === false
  for (const piece of pieces) {
    if (format.texts === undefined || !mayStay) {
      // oxlint-disable-next-line no-await-in-loop -- one piece after the other
      for (const raw of await format.read(piece, reading)) take(raw, piece)
      continue
    }
    const { file } = piece
    const bytes = Buffer.from(piece.bytes.buffer, piece.bytes.byteOffset, piece.bytes.length)
    for (const text of format.texts(piece)) {
      const { line, start, end } = text
      const parts = recordAsIs(bytes, start, end)
      if (parts === undefined) {
        take(parseText(piece, text), piece)
        continue
      }
      const { session_id, agent_id, agent_name, evaluation } = parts
      const record = { session_id, agent_id, agent_name, file, line }
      const asItCame = () =>
        isReusable(bytes.buffer) ? bytes.subarray(start, end) : pack().addBytes(bytes, start, end)
      if (evaluate === undefined || evaluation !== undefined) {
        placed.push({ ...record, packed: asItCame() })
        continue
      }
      const call = JSON.parse(bytes.toString('utf8', start, end)) as CallRecord
      const { fields, none } = evaluate(call) ?? {}
      const packed = fields === undefined ? asItCame() : packEvaluated(pack(), bytes.subarray(start, end), call, fields)
      placed.push({ ...record, packed, evaluated: none ?? true })
    }
  }
  const records = placed.map(({ packed, ...record }) => {
    return { ...record, json: packed instanceof Uint8Array ? packed : pack().at(packed) }
  })
  const lie = new Set<ArrayBufferLike>(records.map(({ json }) => json.buffer))
  const last = made?.memory ?? given
  const all = [...pieces.map(({ bytes }) => bytes.buffer).filter(isReusable), ...(last === undefined ? [] : [last])]
  const memory = all.filter(one => lie.has(one))
  const unused = all.filter(one => !lie.has(one))
  return { records, rejects, moreRejects, removed, masked, memory, unused }
}

/** Packs a call with its evaluation: what only adds to a record that is stored as it came is written behind it. */
function packEvaluated(pack: TextPack, came: Buffer, call: CallRecord, fields: EvaluatedFields): Packed {
  if (!isBare(call)) return pack.add(JSON.stringify(applyEvaluation(call, fields)))
  const { start } = pack.addBytes(came, 0, came.length - 1)
  const { end } = pack.add(`,${JSON.stringify(fields).slice(1)}`)
  return { start, end }
}

/** How a record gets its id where it does not say it. */
interface Naming {
  /** The id for a record without one; undefined where that is a fault. */
  readonly missing: string | undefined
  /** Whether a record's id tells of its file and not of itself. */
  isPlaced(id: string): boolean
}

function namingOf(raw: RawRecord, { bytes }: Piece, { mapping }: Reading, ids: PlaceIds | undefined): Naming {
  if (mapping.some(({ target, source }) => target === 'session_id' && source.from === 'file')) {
    return { missing: undefined, isPlaced: () => true }
  }
  if ('fault' in raw || raw.alone !== true) return { missing: undefined, isPlaced: () => false }
  const missing = ids?.id ?? contentId(bytes)
  return { missing, isPlaced: id => id === ids?.id }
}

/** What tells whether a stored call of the id, or of the bare name of the file, is this one. */
function placedId({ created_dt: began, transcript }: CallRecord, id: string, ids: PlaceIds | undefined): PlacedId {
  const words = transcript?.map(({ text }) => text).join('\n')
  return {
    began: Date.parse(began),
    ...(words !== undefined && { words: createHash('sha256').update(words).digest('hex') }),
    ...(id === ids?.id && ids.bare !== undefined && { bare: ids.bare }),
  }
}

type Evaluate = (call: CallRecord) => IncomingEvaluated | undefined

/**
 * Most milliseconds of the evaluation of one task's calls, by the clock: a hundred times of what they take by a built-in rubric in threads that others
 * wait for, and more in an import's own, where a machine with much else to do costs no call its evaluation.
 */
export const EVALUATION_MS = { shared: 10_000, own: 60_000 }

function evaluating(rules: IncomingRules, mostMs: number): Evaluate {
  const at = new Date()
  let until: number | undefined
  // Reading the records and making the rules ready are no part of it: they may wait for the machine.
  const ready: IncomingRules = () => {
    const made = rules()
    until ??= performance.now() + mostMs
    return made
  }
  return call => {
    const left = until === undefined ? mostMs : Math.max(0, until - performance.now())
    return evaluateIncoming(ready, call, at, left)
  }
}

function prepare(
  raw: RawRecord,
  { file, writtenMs }: Pick<PrepareTask, 'writtenMs'> & Pick<Piece, 'file'>,
  format: Format,
  reading: Reading,
  evaluate: Evaluate | undefined,
  id: string | undefined,
): Preparation {
  if ('fault' in raw) return { faults: [raw.fault] }
  const { mapping, timeZone, redact } = reading
  const ofTurns = mapping.find(({ target }) => isOfTurns(target))
  if (ofTurns !== undefined && format.turnColumns !== true) {
    const message = `is a column of turns, which ${format.name} has none of (mapped by ${echo(ofTurns.written)})`
    return { faults: [{ path: ofTurns.target, message }] }
  }
  try {
    const { value } = raw
    if (mapping.length > 0 && isObject(value)) {
      const fault = applyMap(value, mapping, { document: raw.document ?? value, file, timeZone })
      if (fault !== undefined) return { faults: [fault] }
    }
    if (id !== undefined && isObject(value)) value['session_id'] ??= id
    const dated = raw.alone === true && isObject(value) ? datedByFile(value, { file, writtenMs }, timeZone) : undefined
    if (typeof dated === 'object') return { faults: [dated] }
    // What was mapped is not in the source's text as it is in the value.
    const source = mapping.length === 0 ? raw.source : undefined
    const prepared = hinted(prepareRecord(value, source, redact, evaluate, timeZone), format)
    if (dated === undefined || 'faults' in prepared) return prepared
    return { ...prepared, warnings: [...(prepared.warnings ?? []), dated] }
  } catch (error) {
    // The only error there is for a value of any shape: brackets nested beyond the stack.
    if (!(error instanceof RangeError)) throw error
    return { faults: [{ path: '', message: 'is nested too deeply' }] }
  }
}

/**
 * Dates the one call of a file by the file, where nothing else says when it was: by the time in its name, else by when it
 * was written.
 *
 * @returns what is to be known of that; a fault for a name whose time says no zone
 */
function datedByFile(
  value: Record<string, unknown>,
  { file, writtenMs }: Pick<PrepareTask, 'writtenMs'> & Pick<Piece, 'file'>,
  timeZone: string | undefined,
): RecordWarning | Fault | undefined {
  if (value['created_dt'] !== undefined && value['created_dt'] !== null) return undefined
  const stem = fileStem(file)
  const named = stem === undefined ? undefined : fileTime(stem, timeZone)
  if (named !== undefined && 'instant' in named) {
    value['created_dt'] = named.instant
    return 'fileNamed'
  }
  if (named?.message === NO_TIME_ZONE) {
    return { path: 'created_dt', message: `is missing, and the time in the file's name ${named.message}` }
  }
  const written = instantOf(writtenMs === undefined ? undefined : Math.trunc(writtenMs))
  if (written === undefined) return undefined
  value['created_dt'] = written
  return 'fileWritten'
}

/** Says how to give a required field that files of a format don't hold. */
function hinted(prepared: Preparation, { missing }: Format): Preparation {
  if (!('faults' in prepared) || missing === undefined) return prepared
  const [first, ...others] = prepared.faults
  const hint = (fault: Fault): Fault => {
    const more = missing[fault.path as keyof typeof missing]
    return fault.message === 'is missing' && more !== undefined
      ? { path: fault.path, message: `is missing: ${more}` }
      : fault
  }
  return { faults: [hint(first), ...others.map(hint)] }
}

function rejectOf(file: string, line: number, at: string, [first, ...also]: readonly [Fault, ...Fault[]]): Reject {
  const place = ({ path, message }: Fault): Fault => ({
    path: at === '' || path === '' ? `${at}${path}` : `${at}.${path}`,
    message,
  })
  return { file, line, ...place(first), ...(also.length > 0 && { also: also.map(place) }) }
}
