import { isObject } from '../../base/is-object.js'
import { KeptOut, type Names, pathOf, type Sending, sendExpression } from './native-expression.js'

const LOGICAL: ReadonlySet<string> = new Set(['$and', '$or', '$nor'])

/**
 * A filter as it is sent: of conditions that mean the same on every server that answers as MongoDB does.
 * @param json as predicates write it
 * @throws KeptOut
 */
export function sendFilter(json: unknown, sending: Sending): object {
  const sent = Object.entries(json as object).map(([name, condition]: [string, unknown]): [string, unknown] => {
    if (LOGICAL.has(name)) {
      asked(name, sending.answered)
      return [name, (condition as readonly unknown[]).map(one => sendFilter(one, sending))]
    }
    if (name === '$expr') {
      asked(name, sending.answered)
      return [name, sendExpression(condition, sending).json]
    }
    if (name.startsWith('$')) throw new KeptOut(name)
    return [name, sendCondition(name, condition, sending.answered)]
  })
  return Object.fromEntries(sent)
}

function asked(name: string, answered: Names): void {
  if (!answered.has(`match:${name}`)) throw new KeptOut(name)
}

function sendCondition(path: string, condition: unknown, answered: Names): object {
  // Where a field is missing within arrays the versions differ.
  pathOf(path)
  if (!isObject(condition) || Object.keys(condition).length === 0) throw new KeptOut()
  const sent = Object.entries(condition).map(([name, operand]): [string, unknown] => {
    asked(name, answered)
    if (name === '$regex') return [name, patternOf(operand)]
    const operands: readonly unknown[] = name === '$in' || name === '$nin' ? (operand as readonly unknown[]) : [operand]
    if (!operands.every(one => isPlain(one, path))) throw new KeptOut(name)
    return [name, operand]
  })
  const options = optionsOf(condition['$regex'])
  return Object.fromEntries(options === '' ? sent : [...sent, ['$options', options]])
}

/** Texts, truth, dates, finite numbers; null of a field of the document itself. */
function isPlain(operand: unknown, path: string): boolean {
  if (operand === null) return !path.includes('.')
  if (typeof operand === 'string' || typeof operand === 'boolean') return true
  if (typeof operand === 'number') return Number.isFinite(operand)
  return isObject(operand) && Object.keys(operand).length === 1 && ('$date' in operand || '$numberLong' in operand)
}

interface Pattern {
  readonly pattern: string
  readonly options: string
}

function readPattern(operand: unknown): Pattern | undefined {
  if (typeof operand === 'string') return { pattern: operand, options: '' }
  const inner = isObject(operand) ? operand['$regularExpression'] : undefined
  if (!isObject(inner)) return undefined
  const { pattern, options = '' } = inner
  return typeof pattern === 'string' && typeof options === 'string' ? { pattern, options } : undefined
}

const optionsOf = (operand: unknown) => readPattern(operand)?.options ?? ''

/**
 * Pieces of patterns that RE2 and PCRE take alike: characters that stand for themselves, escaped ones, classes of those and of
 * kinds of letters, repeated and side by side. Not `$`, which PCRE finds before a last line feed too, nor `\\s`, `\\w`, `\\b`, whose letters
 * depend on how a server builds PCRE, nor what is possessive or lazy, nor groups that are repeated, which PCRE may search without end.
 */
const PIECE = /[^\\^$.|?*+()[\]{}]|\\[^\p{L}\p{N}\s]|\\[tnr]|\\p\{(?:L|Lu|Ll|N|Nd|P|Z|Zs)\}/u.source
const REPEATED = /(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})?/.source
const ALIKE = new RegExp(`^\\^?(?:(?:${PIECE}|\\.|\\[\\^?(?:${PIECE})+\\])${REPEATED}|\\||\\((?:\\?:)?|\\))+$`, 'u')
/** A pattern with more of `*` and `+` may be searched for long. */
const MOST_REPEATED = 3
/** With more letters the two do not agree what another case of one is. */
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/

function patternOf(operand: unknown): string {
  const read = readPattern(operand)
  if (read === undefined || !ALIKE.test(read.pattern)) throw new KeptOut('$regex')
  if ((read.pattern.match(/[*+]/g) ?? []).length > MOST_REPEATED) throw new KeptOut('$regex')
  if (read.options !== '' && (read.options !== 'i' || !ASCII.test(read.pattern))) throw new KeptOut('$regex')
  return read.pattern
}
