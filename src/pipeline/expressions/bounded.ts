import { type Value, isArray, isDocument } from '../value.js'
import { ExpressionError } from './expression-error.js'

/** The largest value an expression may make, as MongoDB's largest document: 16 MiB. */
const MOST_BYTES = 16 * 1024 * 1024

/** The deepest nesting of a value. */
const MOST_LEVELS = 100

interface Measure {
  readonly bytes: number
  readonly levels: number
}

const SCALAR: Measure = { bytes: 16, levels: 0 }

/** A string that is not longer than a value may be. */
export function boundedText(operator: string, text: string): string {
  if (text.length > MOST_BYTES) throw new ExpressionError(operator, 'makes a string longer than 16 MiB')
  return text
}

/** How many items an array an operator makes may have. */
export const MOST_ITEMS = 1_000_000

/** Refuses an array that is too long before it is made. */
export function boundedLength(operator: string, length: number): void {
  if (length > MOST_ITEMS) throw new ExpressionError(operator, `makes an array of more than ${MOST_ITEMS} items`)
}

/**
 * Measures values that are built from one another, as $reduce builds them: what was measured once is not walked again,
 * so that a value which holds itself twice a step is caught after few steps.
 */
export function growthGuard(operator: string): (value: Value | undefined) => void {
  const measure = measuring()
  return value => {
    const { bytes, levels } = measure(value)
    if (bytes > MOST_BYTES) throw new ExpressionError(operator, 'makes a value larger than 16 MiB')
    if (levels > MOST_LEVELS)
      throw new ExpressionError(operator, `makes a value nested deeper than ${MOST_LEVELS} levels`)
  }
}

/** Refuses the element with which an array would get larger than a value may be. */
export function elementGuard(operator: string): (element: Value) => void {
  const measure = measuring()
  let held = 0
  return element => {
    held += measure(element).bytes
    if (held > MOST_BYTES) throw new ExpressionError(operator, 'makes a value larger than 16 MiB')
  }
}

function measuring(): (value: Value | undefined) => Measure {
  const known = new WeakMap<object, Measure>()
  const measure = (value: Value | undefined): Measure => {
    if (typeof value === 'string') return { bytes: value.length, levels: 0 }
    if (!isArray(value) && !isDocument(value)) return SCALAR
    const before = known.get(value)
    if (before !== undefined) return before
    let bytes = 16
    let levels = 0
    for (const item of isArray(value) ? value : Object.values(value)) {
      const inner = measure(item)
      bytes += inner.bytes
      levels = Math.max(levels, inner.levels)
    }
    const found = { bytes, levels: levels + 1 }
    known.set(value, found)
    return found
  }
  return measure
}
