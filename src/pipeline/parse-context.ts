import type { FieldType } from '../calls/field-type.js'
import type { PipelineLimits } from './limits.js'
import { byFirstName, type FieldPath } from './path.js'

/**
 * What parsing a pipeline carries along: where it is, which variables are bound, what is known of the fields. Immutable
 * but for the list of warnings and the count of patterns.
 */
export interface ParseContext {
  /** Where the parser stands, such as `pipeline[2].$group.total`. */
  readonly where: string
  readonly limits: PipelineLimits
  /** The variables that are bound, with what is known of their values. */
  readonly variables: ReadonlyMap<string, FieldType | undefined>
  /** What is known of the documents at this stage; `undefined` where nothing is (no schema, or reshaped). */
  readonly shape: Shape | undefined
  readonly warnings: string[]
  /** What the patterns read so far come to: see pattern.ts. */
  readonly patterns: { parts: number }
  /** The zone in which whoever asks counts days, for advice. */
  readonly timeZone?: string | undefined
  /** Inside a condition on array elements, where $expr may not stand. */
  readonly inElement?: boolean
  /** Inside the sub-pipelines of $facet, where no other $facet may stand. */
  readonly inFacet?: boolean
  /** Inside the outputs of $group, whose number of values may be computed from the key. */
  readonly inGroup?: boolean
  /** The pipeline is our own: fields are not advised about. */
  readonly ownPipeline?: boolean
}

/**
 * The fields of the documents at a stage. The names are complete; a type is `undefined` where it is not known, as of a
 * computed field.
 */
export type Shape = ReadonlyMap<string, FieldType | undefined>

export function at(context: ParseContext, step: string | number): ParseContext {
  const where = typeof step === 'number' ? `${context.where}[${step}]` : `${context.where}.${step}`
  return { ...context, where }
}

export function withVariables(
  context: ParseContext,
  variables: Iterable<readonly [string, FieldType | undefined]>,
): ParseContext {
  return { ...context, variables: new Map([...context.variables, ...variables]) }
}

/** Of a list, however deep, what it holds. */
export function elementType(type: FieldType | undefined): FieldType | undefined {
  return type?.kind === 'list' ? elementType(type.of) : type
}

/** The path of the first list on a path, itself included; `undefined` where no list is known. */
export function listOn(shape: Shape | undefined, path: FieldPath): FieldPath | undefined {
  let type = shape?.get(path[0] ?? '')
  for (let i = 1; i <= path.length; i += 1) {
    if (type?.kind === 'list') return path.slice(0, i)
    type = type?.kind === 'struct' ? type.fields.get(path[i] ?? '') : undefined
  }
  return undefined
}

/** A shape with the type at a path through documents replaced, where one is known there. */
export function withTypeAt(shape: Shape, path: FieldPath, change: (type: FieldType) => FieldType): Shape {
  const [name = '', ...inside] = path
  const type = shape.get(name)
  return type === undefined ? shape : new Map([...shape, [name, changed(type, inside, change)]])
}

function changed(type: FieldType, path: FieldPath, change: (type: FieldType) => FieldType): FieldType {
  const [name, ...inside] = path
  if (name === undefined) return change(type)
  const field = type.kind === 'struct' ? type.fields.get(name) : undefined
  if (type.kind !== 'struct' || field === undefined) return type
  return { ...type, fields: new Map([...type.fields, [name, changed(field, inside, change)]]) }
}

/** The type of a field of which nothing is known, beside others of which something is. */
export const OPEN: FieldType = { kind: 'open' }

/** A field that is set, and what is known of what it is set to. */
export interface FieldSet {
  readonly path: FieldPath
  readonly type: FieldType | undefined
}

/**
 * A shape with fields set, as $set does it: inside documents and inside each entry of a list, in the place of whatever else
 * there is. No path is another's beginning.
 */
export function withFieldsSet(shape: Shape, fields: readonly FieldSet[]): Shape {
  const after = new Map(shape)
  for (const [name, { whole, inside }] of byFirstName(fields)) {
    const isKnown = !shape.has(name) || shape.get(name) !== undefined
    after.set(name, whole !== undefined ? whole.type : isKnown ? fieldsSet(shape.get(name), inside) : undefined)
  }
  return after
}

function fieldsSet(before: FieldType | undefined, fields: readonly FieldSet[]): FieldType {
  if (before?.kind === 'open') return OPEN
  if (before?.kind === 'list') return { kind: 'list', of: fieldsSet(before.of, fields) }
  const struct = before?.kind === 'struct' ? before : undefined
  const after = new Map(struct?.fields)
  const required = new Set(struct?.required)
  for (const [name, { whole, inside }] of byFirstName(fields)) {
    after.set(name, whole !== undefined ? (whole.type ?? OPEN) : fieldsSet(struct?.fields.get(name), inside))
    required.delete(name)
  }
  return { kind: 'struct', fields: after, required }
}

/** The type of a whole document. */
export function documentType(shape: Shape): FieldType {
  return { kind: 'struct', fields: new Map([...shape].map(([name, type]) => [name, type ?? OPEN])) }
}

/** What is known of the documents of a type: the other way round. */
export function shapeOfType(type: FieldType | undefined): Shape | undefined {
  if (type?.kind !== 'struct') return undefined
  return new Map([...type.fields].map(([name, field]) => [name, field === OPEN ? undefined : field]))
}

/** The type of what an expression reads at a path: through a list it is one. */
export function valueType(shape: Shape, path: FieldPath): FieldType | undefined {
  const [name, ...inside] = path
  return name === undefined ? documentType(shape) : typeInside(shape.get(name), inside)
}

/** The type of what is read at a path of a value. */
export function typeInside(type: FieldType | undefined, path: FieldPath): FieldType | undefined {
  const [name, ...inside] = path
  if (name === undefined) return type
  if (type?.kind === 'struct') return typeInside(type.fields.get(name), inside)
  const of = type?.kind === 'list' ? typeInside(type.of, path) : undefined
  return of && { kind: 'list', of }
}

/** The type of a field path, walking through lists as filters do; `undefined` when unknown. */
export function typeAt(shape: Shape | undefined, path: FieldPath): FieldType | undefined {
  let type = shape?.get(path[0] ?? '')
  for (const part of path.slice(1)) {
    const inside = elementType(type)
    if (inside?.kind !== 'struct') return undefined
    type = inside.fields.get(part)
  }
  return elementType(type)
}
