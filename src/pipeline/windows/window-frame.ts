import { ExpressionError } from '../expressions/expression-error.js'
import { compareValues } from '../order.js'
import { type ParseContext, at } from '../parse-context.js'
import { Refusal, refuseName } from '../refusal.js'
import { parseConstant } from '../stages/constant.js'
import { readOptions } from '../stages/read-options.js'
import { type Value, isNumeric, toNumber } from '../value.js'
import { addUnits } from '../expressions/date/add-units.js'
import { MOST_MILLIS, UNITS, type Unit, unitOf } from '../expressions/date/units.js'

/** One side of a window. */
export type Bound = 'unbounded' | 'current' | number

/** A window around a document: by places, or by the values of the field sorted by. */
export interface WindowFrame {
  readonly kind: 'documents' | 'range'
  readonly lower: Bound
  readonly upper: Bound
  /** Of a range over dates. */
  readonly unit: Unit | undefined
}

function parseBound(json: unknown, kind: WindowFrame['kind'], whole: boolean, context: ParseContext): Bound {
  if (json === 'unbounded' || json === 'current') return json
  const value = parseConstant(json, context)
  const number = isNumeric(value) ? toNumber(value) : Number.NaN
  if (!Number.isFinite(number) || (whole && !Number.isSafeInteger(number))) {
    throw new Refusal(context.where, `a bound of ${kind} is "unbounded", "current" or a ${whole ? 'whole ' : ''}number`)
  }
  return number
}

const place = (bound: Bound, unbounded: number) => (bound === 'unbounded' ? unbounded : bound === 'current' ? 0 : bound)

/** The unit of a range or of a rate over dates. */
export function parseUnit(json: unknown, context: ParseContext): Unit {
  const unit = unitOf(json)
  if (unit === undefined) refuseName(context.where, 'The unit', String(json), UNITS, new Map())
  return unit
}

/** Parses `window: {documents: [lower, upper]}` or `{range: [lower, upper], unit}`; nothing given means no window. */
export function parseWindowFrame(json: unknown, context: ParseContext): WindowFrame | undefined {
  const { documents, range, unit } = readOptions(json, 'window', ['documents', 'range', 'unit'], context)
  if (documents === undefined && range === undefined) {
    if (unit !== undefined) throw new Refusal(context.where, 'unit stands beside range')
    return undefined
  }
  if (documents !== undefined && range !== undefined) {
    throw new Refusal(context.where, 'a window has either documents or range')
  }
  const kind = documents === undefined ? 'range' : 'documents'
  if (kind === 'documents' && unit !== undefined) throw new Refusal(context.where, 'unit stands beside range')
  const inner = at(context, kind)
  const bounds: unknown = documents ?? range
  if (!Array.isArray(bounds) || bounds.length !== 2) {
    throw new Refusal(inner.where, 'is an array of a lower and an upper bound, such as ["unbounded", "current"]')
  }
  const whole = kind === 'documents' || unit !== undefined
  const [lower, upper] = [0, 1].map(i => parseBound(bounds[i], kind, whole, at(inner, i))) as [Bound, Bound]
  if (place(lower, -Infinity) > place(upper, Infinity)) {
    throw new Refusal(inner.where, 'the lower bound is not above the upper one')
  }
  return { kind, lower, upper, unit: unit === undefined ? undefined : parseUnit(unit, at(context, 'unit')) }
}

/** Whether a window is the whole partition, whatever its order. */
export function isWhole(frame: WindowFrame | undefined): boolean {
  return frame === undefined || (frame.lower === 'unbounded' && frame.upper === 'unbounded')
}

function documentsFrame({ lower, upper }: WindowFrame, size: number, i: number): readonly [number, number] {
  const from = Math.min(size, Math.max(0, i + place(lower, -Infinity)))
  const to = Math.min(size, i + place(upper, Infinity) + 1)
  return [from, Math.max(from, to)]
}

/** The value that lies a bound away from the one at hand; beyond the dates there are, the last of them. */
function threshold(value: Value, bound: number, unit: Unit | undefined): Value {
  if (value instanceof Date && unit !== undefined) {
    const moved = addUnits(value, unit, bound, 'UTC')
    return Number.isNaN(moved.getTime()) ? new Date(Math.sign(bound) * MOST_MILLIS) : moved
  }
  return toNumber(value as number) + bound
}

/** What a range needs of the field sorted by. */
export function rangeNeeds(unit: Unit | undefined): string {
  return unit === undefined
    ? 'needs numbers in the field it sorts by, for a range without unit'
    : 'needs dates in the field it sorts by, for a range with a unit'
}

function checkRange(value: Value | undefined, unit: Unit | undefined): Value {
  if (unit === undefined ? isNumeric(value) : value instanceof Date) return value as Value
  throw new ExpressionError('$setWindowFields', rangeNeeds(unit))
}

/** Finds the places of windows in one partition of sorted documents. */
export function frames(
  frame: WindowFrame | undefined,
  size: number,
  sortValue: (place: number) => Value | undefined,
): (place: number) => readonly [number, number] {
  if (frame === undefined) return () => [0, size]
  if (frame.kind === 'documents') return i => documentsFrame(frame, size, i)
  const { lower, upper, unit } = frame
  const values = Array.from({ length: size }, (_, i) => checkRange(sortValue(i), unit))
  // Values ascend and so do the windows' sides: each search goes on where the one before ended.
  let from = 0
  let to = 0
  return i => {
    // "current" is the document at its place; only a number, 0 too, is a value that takes in ties.
    if (typeof lower === 'string') from = lower === 'current' ? i : 0
    else {
      const low = threshold(values[i]!, lower, unit)
      while (from < size && compareValues(values[from], low) < 0) from += 1
    }
    if (typeof upper === 'string') to = upper === 'current' ? i + 1 : size
    else {
      const high = threshold(values[i]!, upper, unit)
      while (to < size && compareValues(values[to], high) <= 0) to += 1
    }
    return [from, Math.max(from, to)]
  }
}

/** The window as MongoDB's JSON. */
export function frameToJson({ kind, lower, upper, unit }: WindowFrame): object {
  return { [kind]: [lower, upper], ...(unit === undefined ? {} : { unit }) }
}
