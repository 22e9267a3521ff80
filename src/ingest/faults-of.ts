import { z } from 'zod'
import { closest } from '../base/closest.js'
import { echo } from '../base/text.js'
import type { Fault } from './piece.js'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

/** Most faults told of one record. */
const MOST_FAULTS = 10
/** Longest field name told: it comes from the file. */
const NAME_LENGTH = 100

const KIND: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
}

/**
 * What a schema finds wrong with a value, in words and without quoting values: a report of rejected records may travel
 * further than the records.
 */
export function faultsOf(schema: z.ZodType, value: unknown): readonly [Fault, ...Fault[]] | undefined {
  const accepted = new Map<readonly string[], readonly string[]>()
  const parsed = schema.safeParse(value, {
    error: issue => {
      if (issue.code === 'unrecognized_keys' && issue.schema instanceof z.ZodObject) {
        accepted.set(issue.keys, Object.keys(issue.schema.shape))
      }
      return sentence(issue)
    },
  })
  if (parsed.success) return undefined
  const faults = parsed.error.issues.flatMap(issue => {
    const path = pathText(issue.path)
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.slice(0, MOST_FAULTS).map(key => unknownField(key, path, accepted.get(issue.keys) ?? []))
  })
  return faults.slice(0, MOST_FAULTS) as [Fault, ...Fault[]]
}

function sentence(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing'
      return `must be ${KIND[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `${issue.input === undefined ? 'is missing: it must be' : 'must be'} one of ${issue.values.map(value => echo(value)).join(', ')}`
    case 'too_small':
      if (typeof issue.input === 'number') return `must be ${span(issue.schema) ?? `at least ${issue.minimum}`}`
      return issue.minimum === 1 ? 'is empty' : `must have at least ${issue.minimum} ${units(issue.input)}`
    case 'too_big':
      if (typeof issue.input === 'number') return `must be ${span(issue.schema) ?? `at most ${issue.maximum}`}`
      return `must have at most ${issue.maximum} ${units(issue.input)}`
    default:
      return 'is not valid'
  }
}

/** Both bounds at once, so that nobody has to find the second one by trying. */
function span(schema: unknown): string | undefined {
  if (!(schema instanceof z.ZodNumber)) return undefined
  const { minValue, maxValue } = schema
  if (minValue === null || maxValue === null || !Number.isFinite(maxValue)) return undefined
  return `between ${minValue} and ${maxValue}`
}

function units(input: unknown): string {
  return Array.isArray(input) ? 'entries' : 'characters'
}

function unknownField(key: string, parent: string, accepted: readonly string[]): Fault {
  const meant = closest(key, accepted)
  const hint = meant === undefined ? '' : `; did you mean ${echo(meant)}?`
  const own = parent === '' ? ` (fields of your own go under "session_metadata")` : ''
  const name = key.slice(0, NAME_LENGTH).toWellFormed()
  return { path: parent === '' ? name : `${parent}.${name}`, message: `is not a field of a call record${own}${hint}` }
}

/** A path as people write it: `transcript[3].start_s`. */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}
