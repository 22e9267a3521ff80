import { isObject } from '../base/is-object.js'
import { Problem } from '../base/problem.js'

/** Most places that are named of an operator that stands in several. */
const MOST_PLACES = 3

/** Longest part of a place, as in a refusal. */
const LONGEST_PART = 100

/** What would be right, by what the sentence of a failure says; the first that fits counts. */
const REMEDIES: readonly (readonly [sentence: RegExp, remedy: string])[] = [
  [
    /^\$(divide|mod) can not divide by zero$/,
    '{"$cond": [{"$eq": [<divisor>, 0]}, null, {"$<name>": …}]} gives null there',
  ],
  [
    /^\$to([A-Z][a-z]+) can not read .*$/,
    '{"$convert": {"input": …, "to": "<name>", "onError": null}} gives null there',
  ],
  [/^\$(?:convert|dateFromString) can not read .*$/, '"onError": null gives null there'],
  [/^\$replaceRoot .*, not (?:missing|null)$/, '{"$ifNull": [<it>, {}]} stands in for what is missing'],
  [/^.* takes (?:an array|arrays)\b.*, not (?:missing|null)$/, '{"$ifNull": [<it>, []]} stands in for what is missing'],
  [/^.* takes strings\b.*, not (?:missing|null)$/, '{"$ifNull": [<it>, ""]} stands in for what is missing'],
  [/^.* takes strings\b.*, not (?:int|long|double|bool|date)$/, '{"$toString": <it>} makes one of it'],
  [/^.* takes dates\b.*, not string$/, '{"$toDate": <it>} reads one'],
  [/^.* takes numbers\b.*, not string$/, '{"$toDouble": <it>} reads one'],
]

function remedyOf(sentence: string): string {
  for (const [pattern, remedy] of REMEDIES) {
    const found = pattern.exec(sentence)
    if (found !== null) return `; ${remedy.replace('<name>', () => (found[1] ?? '').toLowerCase())}`
  }
  return ''
}

/** The places at which an operator stands in a pipeline, but as a condition: those never fail. */
function placesOf(operator: string, json: unknown, place: string, inFilter = false): readonly string[] {
  if (Array.isArray(json)) {
    return json.flatMap((item: unknown, i) => placesOf(operator, item, `${place}[${i}]`, inFilter))
  }
  if (!isObject(json)) return []
  return Object.entries(json).flatMap(([key, value]) => {
    if (key === '$literal') return []
    const there = `${place}.${key.slice(0, LONGEST_PART)}`
    const here = key === operator && !inFilter ? [there] : []
    return [...here, ...placesOf(operator, value, there, key === '$match' || (inFilter && key !== '$expr'))]
  })
}

/**
 * The failure of a pipeline that ran, with the place of the operator that failed and what would be right: the sentence
 * that comes out of engine and evaluation names the operator alone. Every other error as it is.
 * @param pipeline as it was written
 */
export function failedWhere(error: unknown, pipeline: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'invalid_pipeline' || error.details.length > 0) return error
  const [operator = ''] = error.message.split(' ', 1)
  if (!operator.startsWith('$')) return error
  const message = `${error.message}${remedyOf(error.message)}`
  const places = placesOf(operator, pipeline, 'pipeline')
  const [path, ...others] = places
  if (path === undefined) return new Problem(error.code, message)
  if (others.length === 0) return new Problem(error.code, `${path}: ${message}`, { details: [{ path, message }] })
  const more = places.length > MOST_PLACES ? ' …' : ''
  return new Problem(error.code, `${places.slice(0, MOST_PLACES).join(' or ')}${more}: ${message}`)
}
