import type { Options } from 'yargs'
import type { z } from 'zod'
import { type Field, fieldsOf, optionName, optionOf, type Spelling } from './schema-options.js'
import { UsageError } from './usage-error.js'

/** Names other options: no value of theirs says that there is none, since each may be one. */
const UNSET = 'unset'

/** What a change says of a field to take away what is there; undefined of one that stays, or whose option says it itself. */
function emptyOf({ nullable, type, items, minItems = 0 }: Field): null | [] | undefined {
  if (nullable) return null
  return type === 'array' && items?.enum === undefined && minItems === 0 ? [] : undefined
}

/** The option by which a change takes away what is there, where there is anything that it may take away. */
export function unsetOption(
  schema: z.ZodType,
  elsewhere: readonly string[],
  spelled: Spelling,
): Record<string, Options> {
  const names = Object.entries(fieldsOf(schema))
    .filter(([name, field]) => !elsewhere.includes(name) && emptyOf(field) !== undefined)
    .map(([name]) => optionName(name, spelled))
  if (names.length === 0) return {}
  return {
    [UNSET]: optionOf({ type: 'array', items: { enum: names }, minItems: 1, description: 'Take away what these set' }),
  }
}

/** What a change says of the fields that are to be taken away. @throws UsageError for one that is set as well */
export function unsetFields(
  schema: z.ZodType,
  args: Readonly<Record<string, unknown>>,
  spelled: Spelling,
): Record<string, null | []> {
  const { [UNSET]: unset = [] } = args as { readonly [UNSET]?: readonly string[] }
  const fields = Object.entries(fieldsOf(schema)).flatMap(([name, field]) => {
    const option = optionName(name, spelled)
    const empty = emptyOf(field)
    if (empty === undefined || !unset.includes(option)) return []
    if (args[option] !== undefined) throw new UsageError(`Give --${option} or --${UNSET} ${option}, not both`)
    return [[name, empty] as const]
  })
  return Object.fromEntries(fields)
}
