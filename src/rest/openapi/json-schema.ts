import { z } from 'zod'

export type JsonSchema = Readonly<Record<string, unknown>>

/** A schema as OpenAPI 3.1 takes it: what clients send (`input`) or what they get (`output`). */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema: written }) => {
      // A note of ours for the stores, which is no keyword of JSON Schema.
      delete written['field']
    },
  })
  return rest
}
