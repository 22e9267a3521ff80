import type { Options } from 'yargs'
import { z } from 'zod'
import { UsageError } from '../usage-error.js'

/** A field of a schema as JSON Schema describes it, as far as options are made of it. */
interface Field {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly string[]
  readonly items?: Field
  readonly maximum?: number
}

/** The fields of a schema by their names. */
export function fieldsOf(schema: z.ZodType): Readonly<Record<string, Field>> {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    readonly properties?: Readonly<Record<string, Field>>
  }
  return described.properties ?? {}
}

/** The name of a field as an option is written: `date_from` is `--date-from`. */
const optionName = (field: string): string => field.replaceAll('_', '-')

/**
 * The options that a schema's fields are: its names, descriptions, choices and kinds, so that what is added to a question is
 * an option with nothing written. Defaults are shown, not sent: they stay the question's own.
 * @param elsewhere fields that the command takes in another way
 */
export function schemaOptions(schema: z.ZodType, elsewhere: readonly string[] = []): Record<string, Options> {
  const fields = Object.entries(fieldsOf(schema)).filter(([name]) => !elsewhere.includes(name))
  return Object.fromEntries(fields.map(([name, field]) => [optionName(name), optionOf(field)]))
}

function optionOf(field: Field): Options {
  const list = field.type === 'array'
  const choices = (list ? field.items : field)?.enum
  const { description = '', default: standard } = field
  return {
    ...(field.type === 'boolean' ? { type: 'boolean' } : { type: 'string', requiresArg: true }),
    ...(field.type === 'integer' || field.type === 'number' ? { type: 'number' } : {}),
    ...(list ? { array: true } : {}),
    ...(choices === undefined ? {} : { choices }),
    description: list ? `${description}; may be repeated` : description,
    ...(standard === undefined ? {} : { defaultDescription: shown(standard) }),
  }
}

function shown(standard: unknown): string {
  return Array.isArray(standard) ? 'all' : String(standard)
}

/** The fields of a schema that the options gave, under their own names. @throws UsageError for a number that is none */
export function givenFields(schema: z.ZodType, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.keys(fieldsOf(schema)).map(name => [name, args[optionName(name)]] as const)
  const wrong = given.find(([, value]) => Number.isNaN(value))
  if (wrong !== undefined) throw new UsageError(`--${optionName(wrong[0])} must be a number`)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}
