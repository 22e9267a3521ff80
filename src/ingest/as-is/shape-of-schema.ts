import { z } from 'zod'
import type { FieldShape, JsonShape, ObjectShape } from './json-shape.js'

/** What is said of a field beyond its schema, which can't say it. */
export interface ShapeNotes {
  /** By path, lists left out: `evaluation.evaluated_at`. */
  readonly instants: ReadonlySet<string>
  readonly holds: Readonly<Record<string, (text: string) => boolean>>
}

/** Texts of up to so many characters are names to whoever trims some of them: all are taken for such. */
const NAME_LENGTH = 1_000
/** Fields of an object that one number has bits for. */
const MOST_FIELDS = 31
const PLAIN_WORD = /^[\w ]+$/

const text = z.strictObject({
  type: z.literal('string'),
  minLength: z.number().optional(),
  maxLength: z.number(),
})
const word = z.strictObject({ type: z.literal('string'), enum: z.array(z.string().regex(PLAIN_WORD)) })
const number = z.strictObject({
  type: z.enum(['number', 'integer']),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
})
const list = z.strictObject({
  type: z.literal('array'),
  items: z.unknown(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
})
const object = z.strictObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).optional(),
  additionalProperties: z.union([z.literal(false), z.strictObject({})]),
})
const known = z.union([text, word, number, list, object])

const DESCRIPTIONS = ['$schema', 'description', 'field'] as const

function withoutDescriptions(schema: unknown): unknown {
  const entries = Object.entries(z.looseObject({}).parse(schema))
  return Object.fromEntries(entries.filter(([name]) => !DESCRIPTIONS.some(description => description === name)))
}

/**
 * The shape that a JSON schema describes.
 * @param keep what the scanner gives back: see Keep
 * @throws for a schema of a kind that it doesn't know: then it would take what the schema refuses
 */
export function shapeOfSchema(schema: unknown, keep: unknown, notes: ShapeNotes, path = ''): JsonShape {
  const kept = keep !== undefined
  if (notes.instants.has(path)) return { kind: 'instant', keep: kept, is: undefined }
  const said = known.parse(withoutDescriptions(schema), { error: () => `of an unknown kind at ${path}` })
  switch (said.type) {
    case 'string': {
      if ('enum' in said) {
        return {
          kind: 'word',
          keep: kept,
          is: said.enum.map(w => ({ word: w, quoted: Buffer.from(JSON.stringify(w)) })),
        }
      }
      const { minLength: least = 0, maxLength: most } = said
      return { kind: 'text', keep: kept, is: { least, most, name: most <= NAME_LENGTH, holds: notes.holds[path] } }
    }
    case 'number':
    case 'integer': {
      const { minimum: least = -Infinity, maximum: most = Infinity, type } = said
      return { kind: 'number', keep: kept, is: { least, most, whole: type === 'integer' } }
    }
    case 'array': {
      const { items, minItems: least = 0, maxItems: most = Infinity } = said
      return { kind: 'list', keep: kept, is: { of: shapeOfSchema(items, keep, notes, path), least, most } }
    }
    case 'object':
      return { kind: 'object', keep: kept, is: objectShape(said, keep, notes, path) }
  }
}

function objectShape(said: z.infer<typeof object>, keep: unknown, notes: ShapeNotes, path: string): ObjectShape {
  const names = Object.keys(said.properties)
  if (names.length > MOST_FIELDS) throw new Error(`Too many fields at ${path}`)
  const fields = Object.entries(said.properties).map(([name, inner], index): FieldShape => {
    const within =
      typeof keep === 'object' && keep !== null && name in keep ? keep[name as keyof typeof keep] : undefined
    const shape = shapeOfSchema(inner, within, notes, path === '' ? name : `${path}.${name}`)
    return { name, quoted: Buffer.from(`${JSON.stringify(name)}:`), bit: 1 << index, shape }
  })
  const required = fields.filter(({ name }) => said.required?.includes(name)).reduce((bits, { bit }) => bits | bit, 0)
  return { fields, required, open: said.additionalProperties !== false }
}
