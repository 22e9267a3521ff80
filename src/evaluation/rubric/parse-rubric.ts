import { type Document, isMap, isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { isObject } from '../../base/is-object.js'
import { parseInput } from '../../base/parse-input.js'
import { Problem, type ProblemDetail } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { checkRubric, type RubricFault } from './check-rubric.js'
import { extendRubric } from './extend-rubric.js'
import { type Rubric, rubric } from './rubric.js'
import type { SignalCatalogs } from './signal-catalogs.js'
import { takeSignals } from './take-signals.js'

/** Longest text of a rubric, characters. */
const MOST_CHARACTERS = 1_000_000
/** The same of what it says, as JSON. */
const MOST_CHARACTERS_AS_JSON = 2_000_000
/** Faults told of, and of these how many in the sentence. */
const MOST_DETAILS = 20
const MOST_IN_SENTENCE = 3
/** How often one anchor may be repeated: a file can't be blown up by aliases. */
const MOST_ALIASES = 100

/** What rubrics may extend, by name: each as it would be written; and what they may take signals from. */
export interface Extendable {
  readonly rubrics: ReadonlyMap<string, unknown>
  readonly catalogs: SignalCatalogs
}

/** Where in the file something of the rubric stands, in which what it extends is written out; undefined when that says it. */
type PlaceOf = (path: Path) => Path | undefined
type Path = readonly (string | number)[]

/**
 * Reads a rubric from YAML or JSON and checks it whole.
 * @param extendable what it may extend
 * @param isKept whether it was checked before, under another version of this program maybe: it may remove what is not there any more
 * @throws Problem `invalid_input`; each detail's path is the field, its message begins with line and column
 */
export function parseRubric(text: string, extendable: Extendable, isKept = false): Rubric {
  const { value, lines, document } = readYaml(text)
  const place = (path: Path): string => {
    const { line, col } = lines.linePos(offsetOf(document, path))
    return `Line ${line}, column ${col}`
  }
  const { value: whole, faults, placeOf, name } = writtenOut(value, extendable)
  const isBroken = faults.some(({ path }) => path.at(-1) === 'extends')
  if (faults.length > 0 && (!isKept || isBroken))
    throw refused(faults.map(({ path, message }) => detailOf(path, message, place)))
  return checked(whole, place, placeOf, name)
}

/** A rubric as it would be written without extending or taking anything. */
interface WrittenOut {
  readonly value: unknown
  readonly faults: readonly RubricFault[]
  readonly placeOf: PlaceOf
  /** What it extends. */
  readonly name?: string | undefined
}

/** @throws Problem where it extends what is not there */
function writtenOut(value: unknown, extendable: Extendable): WrittenOut {
  const { value: given, faults: ofKinds, placeOf: inKinds } = kindsWrittenOut(value, extendable)
  const { extends: name, ...own } = isObject(given) ? given : {}
  const inherited = typeof name === 'string' ? extendable.rubrics.get(name) : undefined
  if (name !== undefined && (typeof name !== 'string' || inherited === undefined)) {
    const message = `must be one of ${[...extendable.rubrics.keys()].join(', ')}, not ${echo(name)}`
    return { value: given, faults: [{ path: ['extends'], message }], placeOf: path => path }
  }
  const taken = takeSignals(inherited ?? given, own['take'], extendable.catalogs)
  const faults = [...ofKinds, ...taken.faults]
  if (typeof name !== 'string') return { value: taken.value, faults, placeOf: path => inKinds(path) }
  const extended = extendRubric(taken.value, name, own)
  const placeOf: PlaceOf = path => (path[0] === 'kinds' ? inKinds(path) : extended.placeOf(path))
  return { value: extended.value, faults: [...faults, ...extended.faults], placeOf, name }
}

/** A rubric's kinds of calls with the rubrics of each written out: by the name of a built-in one, or as one of its own. */
function kindsWrittenOut(value: unknown, extendable: Extendable): WrittenOut {
  const kinds: unknown = isObject(value) ? value['kinds'] : undefined
  if (!isObject(value) || !Array.isArray(kinds)) return { value, faults: [], placeOf: path => path }
  const written = kinds.map((kind: unknown): WrittenOut | undefined => {
    const its = isObject(kind) ? kind['rubric'] : undefined
    if (typeof its === 'string') return { ...writtenOut({ extends: its }, extendable), placeOf: () => undefined }
    return isObject(its) ? writtenOut(its, extendable) : undefined
  })
  return {
    value: {
      ...value,
      kinds: kinds.map((kind: unknown, at) =>
        isObject(kind) && written[at] ? { ...kind, rubric: written[at].value } : kind,
      ),
    },
    faults: written.flatMap((one, at) =>
      (one?.faults ?? []).map(({ path, message }) => ({ path: ['kinds', at, 'rubric', ...path], message })),
    ),
    placeOf: path => {
      const [first, at, field, ...rest] = path
      if (first !== 'kinds' || typeof at !== 'number' || field !== 'rubric') return path
      const own = written[at]?.placeOf(rest)
      return own === undefined ? path.slice(0, 3) : [...path.slice(0, 3), ...own]
    },
  }
}

/** What a rubric's file says, as YAML or JSON; with `extends` it is not whole. @throws Problem */
export function readYaml(text: string): { value: unknown; lines: LineCounter; document: Document } {
  if (text.length > MOST_CHARACTERS)
    throw new Problem('too_large', `A rubric has ${MOST_CHARACTERS} characters at most`)
  const lines = new LineCounter()
  // The library's own look for keys that are there twice takes the square of their number.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  const [broken] = document.errors
  if (broken !== undefined) {
    const { line, col } = lines.linePos(broken.pos[0])
    // The library's own words are of its stack then.
    const reason = broken.code === 'RESOURCE_EXHAUSTION' ? 'is nested too deeply' : broken.message.split('\n', 1)[0]
    throw refused([{ path: '', message: `Line ${line}, column ${col}: ${reason}` }])
  }
  const twice = repeatedKey(document)
  if (twice !== undefined) {
    const { line, col } = lines.linePos(twice)
    throw refused([{ path: '', message: `Line ${line}, column ${col}: Map keys must be unique` }])
  }
  const value = valueOf(document)
  // Repeated by aliases it may be longer than its text.
  if (lengthOf(value) > MOST_CHARACTERS_AS_JSON) {
    throw new Problem(
      'too_large',
      `A rubric has ${MOST_CHARACTERS_AS_JSON} characters at most, as JSON with its aliases written out`,
    )
  }
  return { value, lines, document }
}

/** @param name what it extends */
function checked(value: unknown, place: (path: Path) => string, placeOf: PlaceOf, name?: string): Rubric {
  let parsed: Rubric
  try {
    parsed = parseInput(rubric, value, 'field')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw refused(
      error.details.map(({ path: text, message }) => {
        const path = splitPath(text)
        const own = placeOf(path)
        if (own === undefined) return inheritedDetail(path, lower(message), place, name)
        // What is said is of the rubric as it is written out, in which entries stand elsewhere.
        const said = replacePath(replacePath(lower(message), path, own), path.slice(0, -1), own.slice(0, -1))
        return { path: own.join('.'), message: `${place(own)}: ${said}${newEntry(value, path, message, name)}` }
      }),
    )
  }
  const faults = checkRubric(parsed)
  if (faults.length > 0) {
    throw refused(
      faults.slice(0, MOST_DETAILS).map(({ path, message }) => {
        const own = placeOf(path)
        return own === undefined
          ? inheritedDetail(namedPath(parsed, path), message, place, name)
          : detailOf(own, message, place)
      }),
      faults.length,
    )
  }
  return parsed
}

function detailOf(path: Path, message: string, place: (path: Path) => string): ProblemDetail {
  const name = path.join('.')
  return { path: name, message: `${place(path)}: field ${echo(name)} ${message}` }
}

/** Something inherited is wrong with what the file says: told with its name, since it has no place in the file. */
function inheritedDetail(path: Path, message: string, place: (path: Path) => string, name = ''): ProblemDetail {
  return { path: 'extends', message: `${place(['extends'])}: ${echo(path.join(' '))} of ${name} ${message}` }
}

/** A path with the keys of entries in place of their numbers. */
function namedPath(value: unknown, path: Path): Path {
  let here = value
  return path.map(step => {
    here = (here as Readonly<Record<string | number, unknown>> | undefined)?.[step]
    const key = typeof step === 'number' && isObject(here) ? (here['key'] ?? here['driver']) : undefined
    return typeof key === 'string' ? key : step
  })
}

/** That what lacks something is a new entry, which may have been meant to change one: with the name of what is extended. */
function newEntry(value: unknown, path: Path, message: string, name?: string): string {
  if (name === undefined || path.length < 2 || !message.includes('is required')) return ''
  const key = namedPath(value, path.slice(0, -1)).at(-1)
  return typeof key === 'string' ? `, since ${name} has no ${echo(key)} that it would change` : ''
}

function replacePath(sentence: string, from: Path, to: Path): string {
  return from.length === 0 ? sentence : sentence.replace(echo(from.join('.')), () => echo(to.join('.')))
}

function valueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw refused([{ path: '', message: `The file can't be read: ${reason}` }])
  }
}

/** @param all how many faults there are, those not told of included */
function refused(details: readonly ProblemDetail[], all = details.length): Problem {
  const said = details.slice(0, MOST_IN_SENTENCE).map(({ message }) => message)
  const rest = all - said.length
  const sentence = said.join('; ') + (rest > 0 ? `; and ${rest} more` : '')
  return new Problem('invalid_input', sentence, { details: details.slice(0, MOST_DETAILS) })
}

/** As JSON; Infinity for what holds itself, or is longer than any text may be. */
function lengthOf(value: unknown): number {
  try {
    return JSON.stringify(value ?? null).length
  } catch {
    return Infinity
  }
}

/** Where the first key stands that its map has already; undefined when there is none. */
function repeatedKey(document: Document): number | undefined {
  let first: number | undefined
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) {
          const at = key.range?.[0] ?? 0
          first = Math.min(first ?? at, at)
          break
        }
        seen.add(key.value)
      }
      return undefined
    },
  })
  return first
}

function splitPath(path: string): Path {
  return path === '' ? [] : path.split('.').map(part => (/^\d+$/.test(part) ? Number(part) : part))
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** Where a field stands in the text: its key where it has one, else itself, else the nearest thing around it. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent: unknown = document.getIn(path.slice(0, length - 1), true)
    const name = path[length - 1]
    if (isMap(parent)) {
      const pair = parent.items.find(item => isPair(item) && isScalar(item.key) && String(item.key.value) === name)
      if (pair !== undefined && isScalar(pair.key)) return pair.key.range?.[0] ?? 0
    }
    const node: unknown = document.getIn(path.slice(0, length), true)
    const start = rangeOf(node)
    if (start !== undefined) return start
  }
  return rangeOf(document.contents) ?? 0
}

function rangeOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined
  const start: unknown = node.range[0]
  return typeof start === 'number' ? start : undefined
}
