import { type Document, isMap, isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { parseInput } from '../../base/parse-input.js'
import { Problem, type ProblemDetail } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { checkRubric } from './check-rubric.js'
import { type Rubric, rubric } from './rubric.js'

/** Longest text of a rubric, characters. */
const LONGEST = 1_000_000
/** The same of what it says, as JSON. */
const LONGEST_READ = 2_000_000
/** Faults told of, and of these how many in the sentence. */
const MOST_DETAILS = 20
const MOST_IN_SENTENCE = 3
/** How often one anchor may be repeated: a file can't be blown up by aliases. */
const MOST_ALIASES = 100

/**
 * Reads a rubric from YAML or JSON and checks it whole.
 * @throws Problem `invalid_input`; each detail's path is the field, its message begins with line and column
 */
export function parseRubric(text: string): Rubric {
  if (text.length > LONGEST) throw new Problem('too_large', `A rubric has ${LONGEST} characters at most`)
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
  if (lengthOf(value) > LONGEST_READ) {
    throw new Problem(
      'too_large',
      `A rubric has ${LONGEST_READ} characters at most, as JSON with its aliases written out`,
    )
  }
  const place = (path: readonly (string | number)[]): string => {
    const { line, col } = lines.linePos(offsetOf(document, path))
    return `Line ${line}, column ${col}`
  }
  let parsed: Rubric
  try {
    parsed = parseInput(rubric, value, 'field')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw refused(
      error.details.map(({ path, message }) => ({ path, message: `${place(splitPath(path))}: ${lower(message)}` })),
    )
  }
  const faults = checkRubric(parsed)
  if (faults.length > 0) {
    throw refused(
      faults.slice(0, MOST_DETAILS).map(({ path, message }) => {
        const name = path.join('.')
        return { path: name, message: `${place(path)}: field ${echo(name)} ${message}` }
      }),
      faults.length,
    )
  }
  return parsed
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

function splitPath(path: string): readonly (string | number)[] {
  return path === '' ? [] : path.split('.').map(part => (/^\d+$/.test(part) ? Number(part) : part))
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** Where a field stands in the text: its key where it has one, else itself, else the nearest thing around it. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent: unknown = document.getIn(path.slice(0, length - 1), true)
    const name = path[length - 1]
    if (isMap(parent)) {
      const pair = parent.items.find(
        item => isPair(item) && isScalar(item.key) && String(item.key.value) === String(name),
      )
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
