import { z } from 'zod'

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

interface Described {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>
}

const known = new WeakMap<z.ZodType, z.ZodType>()

/**
 * A schema of typed values as one of query parameters, which are all text: each is read as the kind of value the schema
 * asks for. Text that is no such value stays text, for the schema to refuse.
 */
export function queryParameters<T>(schema: z.ZodType<T>): z.ZodType<T> {
  const made = known.get(schema)
  if (made !== undefined) return made as z.ZodType<T>
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described
  const read = (name: string, text: unknown): unknown => {
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined
    // A list is a parameter given several times; of one given once nobody can tell.
    if (type === 'array') return Array.isArray(text) || text === undefined ? text : [text]
    if (typeof text !== 'string') return text
    if (type === 'integer' || type === 'number') return NUMBER.test(text) ? Number(text) : text
    if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text)
    return text
  }
  const ofText = z.preprocess(
    query => Object.fromEntries(Object.entries(query as object).map(([name, text]) => [name, read(name, text)])),
    schema,
  )
  known.set(schema, ofText)
  return ofText
}
