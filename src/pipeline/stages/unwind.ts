import type { FieldType } from '../../calls/field-type.js'
import { isObject } from '../../base/is-object.js'
import { adviseField } from '../advise-field.js'
import { readPath } from '../evaluate-expression.js'
import { type ParseContext, type Shape, at, withTypeAt } from '../parse-context.js'
import { type FieldPath, parsePath } from '../path.js'
import { Refusal } from '../refusal.js'
import { type Document, type Value, isArray, isDocument } from '../value.js'
import { setPath } from './set-path.js'
import type { StageDefinition } from './stage-definition.js'
import { unwindSql } from './unwind-sql.js'
import { allOf, rootsOf } from '../fields-read.js'
import type { Unwind } from './unwind-spec.js'
import { readOptions } from './read-options.js'

const OPTIONS = ['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'] as const

function parseFieldPath(json: unknown, context: ParseContext): FieldPath {
  if (typeof json !== 'string' || !json.startsWith('$') || json.startsWith('$$')) {
    throw new Refusal(context.where, '$unwind takes the path of an array with "$" before it, such as "$signals"')
  }
  return parsePath(json.slice(1), context.where)
}

function parseUnwind(json: unknown, context: ParseContext): Unwind {
  if (!isObject(json)) {
    return { path: parseFieldPath(json, context), index: undefined, preserve: false }
  }
  const { path, includeArrayIndex, preserveNullAndEmptyArrays = false } = readOptions(json, '$unwind', OPTIONS, context)
  if (typeof preserveNullAndEmptyArrays !== 'boolean') {
    throw new Refusal(at(context, 'preserveNullAndEmptyArrays').where, 'is true or false')
  }
  const inner = at(context, 'includeArrayIndex')
  if (includeArrayIndex !== undefined && (typeof includeArrayIndex !== 'string' || includeArrayIndex.startsWith('$'))) {
    throw new Refusal(inner.where, 'is a field name without "$"')
  }
  return {
    path: parseFieldPath(path, at(context, 'path')),
    index: includeArrayIndex === undefined ? undefined : parsePath(includeArrayIndex, inner.where),
    preserve: preserveNullAndEmptyArrays,
  }
}

/** The value at a path through documents only: $unwind walks no outer array. */
function plainValue(document: Document, path: FieldPath): Value | undefined {
  let value: Value | undefined = document
  for (const part of path) {
    if (!isDocument(value)) return undefined
    value = readPath(value, [part])
  }
  return value
}

function unwindOne(document: Document, { path, index, preserve }: Unwind): readonly Document[] {
  const value = plainValue(document, path)
  const withIndex = (out: Document, position: number | null) =>
    index === undefined ? out : setPath(out, index, position === null ? null : BigInt(position))
  if (isArray(value) && value.length > 0) {
    return value.map((item, i) => withIndex(setPath(document, path, item), i))
  }
  if (value !== undefined && value !== null && !isArray(value)) return [withIndex(document, null)]
  if (!preserve) return []
  return [withIndex(isArray(value) ? setPath(document, path, undefined) : document, null)]
}

/** The type of what is there: of a document, the fields that each has are there too. */
function filled(type: FieldType): FieldType {
  if (type.kind === 'double') return { ...type, filled: true }
  if (type.kind !== 'struct') return type
  const fields = [...type.fields].map(
    ([name, field]) => [name, type.required?.has(name) ? filled(field) : field] as const,
  )
  return { ...type, fields: new Map(fields) }
}

/** What is known of the elements is what was known of the array's. */
function shapeAfter({ path, index, preserve }: Unwind, shape: Shape): Shape {
  const after = withTypeAt(shape, path, type => {
    const element = type.kind === 'list' ? type.of : type
    return preserve ? element : filled(element)
  })
  return index === undefined ? after : new Map([...after, [index[0]!, undefined]])
}

export const unwind: StageDefinition = {
  name: '$unwind',
  doc: {
    form: '{ $unwind: <$path> } or { $unwind: { path: <$path>, includeArrayIndex: <field>, preserveNullAndEmptyArrays: <boolean> } }',
    meaning:
      'One document for each element of an array, the element in its place. What is no array counts as one element; null, missing and empty arrays are dropped unless preserved.',
    example: {
      documents: [
        { a: 1, b: ['x', 'y'] },
        { a: 2, b: [] },
      ],
      pipeline: [{ $unwind: { path: '$b', includeArrayIndex: 'i' } }],
      result: [
        { a: 1, b: 'x', i: 0 },
        { a: 1, b: 'y', i: 1 },
      ],
    },
  },
  parse: (json, context) => {
    const spec = parseUnwind(json, context)
    adviseField(spec.path, context)
    return {
      stage: {
        name: '$unwind',
        run: documents => documents.flatMap(document => unwindOne(document, spec)),
        order: 'kept',
        compile: (relation, compile) => unwindSql(spec, relation, compile),
        reads: wanted => allOf(wanted, rootsOf([spec.path, ...(spec.index === undefined ? [] : [spec.index])])),
        toJson: () => ({
          $unwind: {
            path: `$${spec.path.join('.')}`,
            ...(spec.index === undefined ? {} : { includeArrayIndex: spec.index.join('.') }),
            preserveNullAndEmptyArrays: spec.preserve,
          },
        }),
      },
      shape: context.shape && shapeAfter(spec, context.shape),
    }
  },
}
