import { basename, dirname } from 'node:path'
import { closest } from '../../base/closest.js'
import { isObject } from '../../base/is-object.js'
import { echo } from '../../base/text.js'
import { fileStem } from '../file-stem.js'
import type { Fault } from '../piece.js'
import type { FileFact, MapRule } from './map-rule.js'
import { fieldWord } from './field-word.js'
import { isOfTurns } from './parse-map.js'
import { targetType } from './map-targets.js'
import { toInstant, type InstantReading } from './to-instant.js'

/** A day and time with any of the separators file names have; an offset or Z after it. */
const TIME =
  /(?<!\d)(\d{4})[-_.]?([01]\d)[-_.]?([0-3]\d)(?:[T_ .-]{1,3}|at)?([0-2]\d)[-_.:h]?([0-5]\d)(?:[-_.:m]?([0-5]\d)s?)?(?:[.,]\d{1,6})?(?:_?(Z|UTC)|([+-]\d\d):?(\d\d))?(?!\d)/gi

/** The one time in a file's name, such as 2026-03-01T12-30-00Z; without an offset it is in `timeZone`. */
export function fileTime(stem: string, timeZone: string | undefined): InstantReading {
  const [found, second] = stem.matchAll(TIME)
  if (found === undefined) return { message: "holds no day and time in the file's name, such as 2026-03-01T12-30-00Z" }
  if (second !== undefined) return { message: "holds more than one day and time in the file's name" }
  const [, year, month, day, hour, minute, seconds = '00', utc, hours, minutes] = found
  const offset = utc === undefined ? (hours === undefined ? '' : `${hours}:${minutes}`) : 'Z'
  return toInstant(`${year}-${month}-${day}T${hour}:${minute}:${seconds}${offset}`, timeZone)
}

type Fields = Record<string, unknown>

/** What a mapping reads from. */
export interface MapInput {
  /** The source's own document: what paths lead into. */
  readonly document: unknown
  /** The input as reports name it. */
  readonly file: string
  /** Zone of times that say none. */
  readonly timeZone: string | undefined
}

/** Sets the mapped fields of a record, in place. @returns what is wrong with the first that can't be set */
export function applyMap(record: Fields, rules: readonly MapRule[], input: MapInput): Fault | undefined {
  for (const rule of rules) {
    const { target } = rule
    // Those are read with the table's rows.
    if (isOfTurns(target)) continue
    if (rule.otherwise === true && isThere(record, target)) continue
    const found = valueOf(rule, input)
    if ('fault' in found) return found.fault
    // An empty cell of a table says nothing.
    if (found.value === undefined || found.value === null || found.value === '') continue
    const value = fitting(found.value, target, input.timeZone)
    if ('message' in value) return { path: target, message: `${value.message} (mapped by ${echo(rule.written)})` }
    set(record, target, value.fit)
  }
  if (record === input.document) leaveBehind(record, rules)
  return undefined
}

/** The names a document had for fields do not stay in a record that has no such fields. */
function leaveBehind(record: Fields, rules: readonly MapRule[]): void {
  for (const { source } of rules) {
    const first = source.from === 'path' ? source.steps[0] : undefined
    if (typeof first === 'string' && targetType(first) === undefined && first !== 'session_metadata') {
      Reflect.deleteProperty(record, first)
    }
  }
}

type Found = { readonly value: unknown } | { readonly fault: Fault }

function valueOf({ target, written, source }: MapRule, { document, file, timeZone }: MapInput): Found {
  const fault = (message: string): Found => ({
    fault: { path: target, message: `${message} (mapped by ${echo(written)})` },
  })
  switch (source.from) {
    case 'constant':
      return { value: source.value }
    case 'file': {
      const fact = factOf(source.what, file, timeZone)
      return typeof fact === 'string' ? { value: fact } : fault(fact.message)
    }
    case 'path': {
      let at: unknown = document
      for (const step of source.steps) {
        const inner = stepInto(at, step)
        if (inner === undefined) {
          return source.optional ? { value: undefined } : fault(`is missing: ${notThere(at, step)}`)
        }
        at = inner
      }
      return { value: at }
    }
  }
}

/** What stands at a place of a document; undefined where nothing does. */
export function valueAt(document: unknown, steps: readonly (string | number)[]): unknown {
  return steps.reduce(stepInto, document)
}

function stepInto(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return typeof step === 'number' ? (value[step] as unknown) : undefined
  return Object.hasOwn(value, step) ? (value as Fields)[step] : undefined
}

function notThere(value: unknown, step: string | number): string {
  if (typeof step === 'number') return `the source has no entry ${step} there`
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const near = closest(step, names)
  return `the source has no ${echo(step)} there${near === undefined ? '' : `; did you mean ${echo(near)}?`}`
}

/** What is asked of a file: its name, its folder, its path or the time in its name. */
export function factOf(what: FileFact, file: string, timeZone: string | undefined): string | { message: string } {
  const stem = fileStem(file)
  if (stem === undefined) return { message: 'is asked of the file, and this input is no file with a name' }
  switch (what) {
    case '@file':
      return stem
    case '@folder':
      return basename(dirname(file))
    case '@path':
      return file
    case '@file_time': {
      const time = fileTime(stem, timeZone)
      return 'instant' in time ? time.instant : time
    }
  }
}

/** The value in the field's type, where it is written as text: what can't be converted is the record check's to refuse. */
function fitting(
  value: unknown,
  target: string,
  timeZone: string | undefined,
): { readonly fit: unknown } | { readonly message: string } {
  switch (targetType(target)?.kind) {
    case 'date': {
      const time = toInstant(value, timeZone)
      return 'instant' in time ? { fit: time.instant } : time
    }
    case 'string':
      return { fit: typeof value === 'number' || typeof value === 'boolean' ? String(value) : fieldWord(target, value) }
    case 'double':
    case 'int':
      return { fit: numberOf(value) }
    default:
      return { fit: value }
  }
}

/** A number written as text as a number; anything else as it is. */
export function numberOf(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value.trim()) ? Number(value) : value
}

function isThere(record: Fields, target: string): boolean {
  const [parent = '', name] = target.split('.')
  const value = name === undefined ? record[parent] : stepInto(record[parent], name)
  return value !== undefined && value !== null && value !== ''
}

function set(record: Fields, target: string, value: unknown): void {
  const dot = target.indexOf('.')
  if (dot === -1) {
    record[target] = value
    return
  }
  const [parent, name] = [target.slice(0, dot), target.slice(dot + 1)]
  const fields = record[parent]
  if (isObject(fields)) fields[name] = value
  else record[parent] = { [name]: value }
}
