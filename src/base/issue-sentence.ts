import { z } from 'zod'
import { closest } from './closest.js'
import { echo } from './text.js'

/** What zod's error map is handed: an issue with its input and the schema that raised it. */
export type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

/** Most names listed in a sentence: a model reads them all, and an error stays a sentence. */
const MOST_LISTED = 40

const KIND: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
  nan: 'NaN',
}

const FORMAT: Readonly<Record<string, string>> = {
  datetime: 'must be a date and time with offset, such as 2026-03-01T12:00:00Z',
  date: 'must be a date such as 2026-03-01',
  time: 'must be a time such as 12:00:00',
  email: 'must be an e-mail address',
  url: 'must be a URL such as https://example.com/path',
  uuid: 'must be a UUID',
}

/** What a value is, in words, so that an object or a huge list is named instead of repeated. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value !== null && typeof value === 'object') return 'an object'
  return typeof value === 'bigint' ? `${value}` : echo(value)
}

/** Names in quotes, separated by commas, the first 40 of them. */
export function listed(names: readonly unknown[]): string {
  const first = names.slice(0, MOST_LISTED).map(name => echo(name))
  return names.length > MOST_LISTED ? `${first.join(', ')} and ${names.length - MOST_LISTED} more` : first.join(', ')
}

function span(low: number | bigint | null | undefined, high: number | bigint | null | undefined): string | undefined {
  const lowest = typeof low === 'number' && Math.abs(low) < Number.MAX_SAFE_INTEGER ? low : undefined
  const highest = typeof high === 'number' && Math.abs(high) < Number.MAX_SAFE_INTEGER ? high : undefined
  if (lowest !== undefined && highest !== undefined) return `between ${lowest} and ${highest}`
  if (lowest !== undefined) return `at least ${lowest}`
  return highest === undefined ? undefined : `at most ${highest}`
}

/** Both bounds of a number in one sentence, so that nobody has to ask twice. */
function outOfRange(issue: RawIssue & { code: 'too_small' | 'too_big' }): string {
  const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum
  const compared = issue.code === 'too_small' ? 'at least' : 'at most'
  const size = issue.exact === true ? 'exactly' : compared
  if (typeof issue.input === 'string') {
    if (issue.code === 'too_small' && bound === 1) return 'must not be empty'
    return `must have ${size} ${bound} characters, not ${issue.input.length}`
  }
  if (Array.isArray(issue.input)) {
    if (issue.code === 'too_small' && bound === 1) return 'must not be empty'
    return `must have ${size} ${bound} entries, not ${issue.input.length}`
  }
  if (issue.inclusive === false) {
    return `must be ${issue.code === 'too_small' ? 'above' : 'below'} ${bound}, not ${shown(issue.input)}`
  }
  const both = issue.schema instanceof z.ZodNumber ? span(issue.schema.minValue, issue.schema.maxValue) : undefined
  return `must be ${both ?? `${compared} ${bound}`}, not ${shown(issue.input)}`
}

/** The way an order goes, at the end of its name. */
const WAY = /_(?:asc|desc)$/

/** Whether two orders are of the same value, one the other way round: spelled alike, and never meant for each other. */
function isOpposite(name: string, input: unknown): boolean {
  return (
    typeof input === 'string' && WAY.test(input) && name !== input && name.replace(WAY, '') === input.replace(WAY, '')
  )
}

function notOneOf(values: readonly unknown[], input: unknown): string {
  const accepted = values.length === 1 ? `must be ${listed(values)}` : `must be one of ${listed(values)}`
  if (input === undefined) return `is required and ${accepted}`
  const names = values.filter(value => typeof value === 'string').filter(name => !isOpposite(name, input))
  const meant = typeof input === 'string' ? closest(input, names) : undefined
  return `${accepted}, not ${shown(input)}${meant === undefined ? '' : ` (did you mean ${echo(meant)}?)`}`
}

function wrongFormat(format: string, input: unknown, issue: RawIssue): string {
  const known = FORMAT[format]
  if (known !== undefined) return `${known}, not ${shown(input)}`
  const pattern = issue.code === 'invalid_format' && issue.pattern !== undefined ? ` ${issue.pattern}` : ''
  return `must have the form ${format === 'regex' ? 'of the pattern' : format}${pattern}, not ${shown(input)}`
}

function noneOfUnion(issue: RawIssue & { code: 'invalid_union' }): string {
  const options: readonly unknown[] = 'options' in issue && Array.isArray(issue.options) ? issue.options : []
  // The discriminator's own value isn't part of the issue's input, only of its path.
  if (options.length > 0) return `must be one of ${listed(options)}`
  const said = issue.errors.flatMap(branch => branch.filter(({ path }) => path.length === 0))
  const kinds = [
    ...new Set(said.flatMap(one => (one.code === 'invalid_type' ? [KIND[one.expected] ?? one.expected] : []))),
  ]
  const values = said.flatMap(one => (one.code === 'invalid_value' ? one.values : []))
  const wanted = values.length > 0 ? [`one of ${listed(values)}`, ...kinds] : kinds
  return wanted.length === 0
    ? `can't be ${shown(issue.input)}`
    : `must be ${wanted.join(' or ')}, not ${shown(issue.input)}`
}

/**
 * What is wrong with one value and what would be right, as the end of a sentence that begins with the value's name
 * ("must be between 1 and 50, not 0"). Repeats nothing but the caller's own input, cut short.
 */
export function issueSentence(issue: RawIssue): string {
  const { input } = issue
  switch (issue.code) {
    case 'invalid_type': {
      // A value of any kind has none to name.
      if (issue.expected === 'nonoptional') return 'is required'
      const expected = KIND[issue.expected] ?? issue.expected
      return input === undefined ? `is required (${expected})` : `must be ${expected}, not ${shown(input)}`
    }
    case 'too_small':
    case 'too_big':
      return outOfRange(issue)
    case 'invalid_value':
      return notOneOf(issue.values, input)
    case 'invalid_format':
      return wrongFormat(issue.format, input, issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}, not ${shown(input)}`
    case 'invalid_union':
      return noneOfUnion(issue)
    default:
      return `can't be ${shown(input)}`
  }
}
