import { z } from 'zod'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Written once each: the document and the page for people show the same ones, and every listener of a process has both. */
const written = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() }

/** A schema as OpenAPI 3.1 takes it: what clients send (`input`) or what they get (`output`). */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const known = written[io].get(schema)
  if (known !== undefined) return known
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema: part }) => {
      // A note of ours for the stores, which is no keyword of JSON Schema.
      delete part['field']
    },
  })
  written[io].set(schema, rest)
  return rest
}
