import { isObject } from '../base/is-object.js'
import { echo } from '../base/text.js'
import type { CallRecord } from '../calls/call-record.js'
import { type RunRubric, rulesFor } from '../evaluation/run/evaluate-batch.js'
import { evaluateIncoming, type IncomingEvaluated } from '../evaluation/run/evaluate-incoming.js'
import { ReasonCounts } from '../evaluation/run/reason-counts.js'
import type { Format } from './formats/format.js'
import { applyMap } from './mapping/apply-map.js'
import type { Fault, Piece, RawRecord, Reject } from './piece.js'
import { type PreparedRecord, type Preparation, prepareRecord } from './prepare-record.js'
import type { Reading } from './reading.js'
import { type MaskCounts, addMasks, noMasks } from './redact/mask.js'
import { formatNamed } from './formats/formats.js'
import { type Packed, type PackMemory, TextPack } from './text-pack.js'

/** Pieces of one format, as one task of a worker. */
export interface PrepareTask {
  readonly format: string
  readonly reading: Reading
  readonly pieces: readonly Piece[]
  /** They were evaluated where they come from, or were not to be: none is evaluated as it comes in. */
  readonly evaluated?: boolean
  /** Where the JSON of the records may be written; new memory without it. */
  readonly memory?: PackMemory
}

/** A prepared record and where it came from, for the reports on it that only the store can make. */
export interface PlacedRecord extends Omit<PreparedRecord, 'json'> {
  /** UTF-8, a part of the memory of its result. */
  readonly json: Uint8Array
  readonly file: string
  readonly line: number
}

export interface PrepareResult {
  /** In the order of the input: of two equal ids the last one wins. */
  readonly records: readonly PlacedRecord[]
  readonly rejects: readonly Reject[]
  /** Hidden characters taken out of free text. */
  readonly removed: number
  /** Places masked, by kind. */
  readonly masked: MaskCounts
  /** Records evaluated as they came in, and why others that were to be were not. */
  readonly evaluated: number
  readonly notEvaluated: readonly { readonly reason: string; readonly calls: number }[]
  /** What the JSON of the records lies in. It may be written to again when nobody needs them any more. */
  readonly memory: PackMemory
}

/**
 * Reads and checks the records of some pieces, and evaluates those that bring no evaluation: the work of a worker.
 * @param rubric what they are evaluated by; undefined leaves them as they are
 */
export function preparePieces(
  { format: name, reading, pieces, evaluated: wasEvaluated = false, memory: given }: PrepareTask,
  rubric?: RunRubric,
): PrepareResult {
  const evaluate = rubric && !wasEvaluated ? evaluating(rubric) : undefined
  const reasons = new ReasonCounts()
  let evaluated = 0
  const format = formatNamed(name)
  const pack = new TextPack(given)
  const placed: (Omit<PlacedRecord, 'json'> & { readonly packed: Packed })[] = []
  const rejects: Reject[] = []
  let removed = 0
  const masked = noMasks()
  for (const piece of pieces) {
    const { file } = piece
    for (const raw of format.read(piece, reading)) {
      const { line, at } = raw
      const prepared = prepare(raw, piece, format, reading, evaluate)
      if ('faults' in prepared) {
        rejects.push(rejectOf(file, line, at, prepared.faults))
      } else {
        const { session_id, agent_id, agent_name, json } = prepared.record
        placed.push({ session_id, agent_id, agent_name, packed: pack.add(json), file, line })
        removed += prepared.removed
        const counts = prepared.masked
        if (prepared.evaluated === true) evaluated += 1
        else if (prepared.evaluated !== undefined) reasons.add(prepared.evaluated)
        if (counts !== undefined) addMasks(masked, counts)
      }
    }
  }
  const { memory } = pack
  const records = placed.map(({ session_id, agent_id, agent_name, packed: { start, end }, file, line }) => {
    return { session_id, agent_id, agent_name, json: new Uint8Array(memory, start, end - start), file, line }
  })
  return { records, rejects, removed, masked, evaluated, notEvaluated: reasons.list(), memory }
}

type Evaluate = (call: CallRecord) => IncomingEvaluated | undefined

function evaluating(rubric: RunRubric): Evaluate {
  const evaluator = rulesFor(rubric)
  const at = new Date()
  return call => evaluateIncoming(evaluator, call, at)
}

function prepare(
  raw: RawRecord,
  { file }: Piece,
  format: Format,
  reading: Reading,
  evaluate: Evaluate | undefined,
): Preparation {
  if ('fault' in raw) return { faults: [raw.fault] }
  const { mapping, timeZone, redact } = reading
  const ofTurns = mapping.find(({ target }) => target.startsWith('turn.'))
  if (ofTurns !== undefined && format.turnColumns !== true) {
    const message = `is a column of turns, which ${format.name} has none of (mapped by ${echo(ofTurns.written)})`
    return { faults: [{ path: ofTurns.target, message }] }
  }
  try {
    if (mapping.length === 0) return hinted(prepareRecord(raw.value, raw.source, redact, evaluate), format)
    if (!isObject(raw.value)) return prepareRecord(raw.value)
    const fault = applyMap(raw.value, mapping, { document: raw.document ?? raw.value, file, timeZone })
    // What was mapped is not in the source's text as it is in the value.
    return fault === undefined
      ? hinted(prepareRecord(raw.value, undefined, redact, evaluate), format)
      : { faults: [fault] }
  } catch (error) {
    // The only error there is for a value of any shape: brackets nested beyond the stack.
    if (!(error instanceof RangeError)) throw error
    return { faults: [{ path: '', message: 'is nested too deeply' }] }
  }
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
