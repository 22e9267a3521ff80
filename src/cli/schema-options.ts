import type { Options } from 'yargs'
import { z } from 'zod'
import { parseInput } from '../base/parse-input.js'
import { Problem } from '../base/problem.js'
import { UsageError } from './usage-error.js'

/** A field of a schema as JSON Schema describes it, as far as options are made of it. */
export interface Field {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly string[]
  readonly items?: Field
  readonly minItems?: number
  readonly maximum?: number
  readonly anyOf?: readonly Field[]
  readonly nullable?: true
}

interface Fields {
  readonly properties?: Readonly<Record<string, Field>>
  readonly required?: readonly string[]
}

/** Options that have another name than their field: `{ allowed_agents: 'agent' }`. */
export type Spelling = Readonly<Record<string, string>>

/** How an empty list is written, where a list of choices may be empty. */
const EMPTY = 'none'

/** The fields of a schema by their names. */
export function fieldsOf(schema: z.ZodType): Readonly<Record<string, Field>> {
  return described(schema).properties ?? {}
}

function described(schema: z.ZodType): Fields {
  const { properties = {}, ...others } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Fields
  const fields = Object.entries(properties).map(([name, field]) => [name, withoutNull(field)] as const)
  return { ...others, properties: Object.fromEntries(fields) }
}

/** A field that may be null as the one that it else is. */
function withoutNull(field: Field): Field {
  const [kept, none, ...others] = field.anyOf ?? []
  if (none?.type !== 'null' || others.length > 0) return field
  return { ...field, ...kept, nullable: true }
}

/** The name of a field as an option is written: `date_from` is `--date-from`. */
export const optionName = (field: string, spelled: Spelling = {}): string =>
  spelled[field] ?? field.replaceAll('_', '-')

/**
 * The options that a schema's fields are: its names, descriptions, choices and kinds, so that what is added to an operation
 * is an option with nothing written. Defaults are shown, not sent: they stay the operation's own.
 * @param elsewhere fields that the command takes in another way
 */
export function schemaOptions(
  schema: z.ZodType,
  elsewhere: readonly string[] = [],
  spelled: Spelling = {},
): Record<string, Options> {
  const { properties = {}, required = [] } = described(schema)
  const fields = Object.entries(properties).filter(([name]) => !elsewhere.includes(name))
  return Object.fromEntries(
    fields.map(([name, field]) => [
      optionName(name, spelled),
      { ...optionOf(field), ...(required.includes(name) && field.default === undefined ? { demandOption: true } : {}) },
    ]),
  )
}

export function optionOf(field: Field): Options {
  const list = field.type === 'array'
  const { description = '', default: standard } = field
  const choices = list ? field.items?.enum : field.enum
  const shown = shownDefault(standard, choices)
  return {
    ...(field.type === 'boolean' ? { type: 'boolean' } : { type: 'string', requiresArg: true }),
    ...(field.type === 'integer' || field.type === 'number' ? { type: 'number' } : {}),
    ...(list ? listOption(field) : choices === undefined ? {} : { choices }),
    description: list
      ? `${description}; ${choices === undefined ? 'may be repeated' : 'several with commas between'}`
      : description,
    ...(shown === undefined ? {} : { defaultDescription: shown }),
  }
}

/** Of a list of choices several can be written in one, with commas between; an empty one is `none`. */
function listOption({ items, minItems = 0 }: Field): Options {
  if (items?.enum === undefined) return { array: true }
  return {
    array: true,
    choices: [...items.enum, ...(minItems === 0 ? [EMPTY] : [])],
    coerce: (written: readonly string[]) =>
      written.flatMap(one => one.split(',').map(name => name.trim())).filter(name => name !== ''),
  }
}

function shownDefault(standard: unknown, choices: readonly string[] = []): string | undefined {
  if (standard === undefined) return undefined
  if (!Array.isArray(standard)) return typeof standard === 'string' ? standard : JSON.stringify(standard)
  if (standard.length === 0) return undefined
  return standard.length === choices.length ? 'all' : standard.join(', ')
}

/** The fields of a schema that the options gave, under their own names. @throws UsageError for a number that is none */
export function givenFields(
  schema: z.ZodType,
  args: Readonly<Record<string, unknown>>,
  spelled: Spelling = {},
): Record<string, unknown> {
  const given = Object.entries(fieldsOf(schema)).map(([name, field]) => {
    const value = args[optionName(name, spelled)]
    const isEmpty = field.items?.enum !== undefined && Array.isArray(value) && value.join() === EMPTY
    return [name, isEmpty ? [] : value] as const
  })
  const wrong = given.find(([, value]) => Number.isNaN(value))
  if (wrong !== undefined) throw new UsageError(`--${optionName(wrong[0], spelled)} must be a number`)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/**
 * What options and words of a command say, checked as the fields they stand for. A refusal calls them as they are written
 * (`--role`, `<url>`), not as the field (`roles.0`).
 * @param words fields that are words of the command
 * @throws Problem `invalid_input`
 */
export function parseOptions<T>(
  schema: z.ZodType<T>,
  fields: object,
  { spelled = {}, words = [] }: { readonly spelled?: Spelling; readonly words?: readonly string[] } = {},
): T {
  const written = (path: string): string => {
    const field = path.split('.').findLast(name => !/^\d+$/.test(name)) ?? path
    return words.includes(field) ? `<${field}>` : `--${optionName(field, spelled)}`
  }
  try {
    return parseInput(schema, fields, 'option')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const message = error.message.replaceAll(/option "([^"]*)"/gi, (_, path: string) => written(path))
    throw new Problem(error.code, message)
  }
}
