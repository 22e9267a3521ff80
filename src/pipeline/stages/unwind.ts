import { bind, sql } from '../compile/sql.js'
import type { SqlType } from '../compile/types.js'
import { withAbsent } from '../compile/types.js'
import { readPath } from '../evaluate-expression.js'
import { type ParseContext, at } from '../parse-context.js'
import { type FieldPath, parsePath } from '../path.js'
import { Refusal, refuseName } from '../refusal.js'
import { type Document, type Value, isArray, isDocument } from '../value.js'
import { setPath } from './set-path.js'
import type { StageDefinition } from './stage-definition.js'

interface Unwind {
  readonly path: FieldPath
  readonly index: FieldPath | undefined
  readonly preserve: boolean
}

const OPTIONS = ['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays']

function parseFieldPath(json: unknown, context: ParseContext): FieldPath {
  if (typeof json !== 'string' || !json.startsWith('$') || json.startsWith('$$')) {
    throw new Refusal(context.where, '$unwind takes the path of an array with "$" before it, such as "$signals"')
  }
  return parsePath(json.slice(1), context.where)
}

function parseUnwind(json: unknown, context: ParseContext): Unwind {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { path: parseFieldPath(json, context), index: undefined, preserve: false }
  }
  for (const key of Object.keys(json)) {
    if (!OPTIONS.includes(key)) refuseName(context.where, 'The option of $unwind', key, OPTIONS, new Map())
  }
  const { path, includeArrayIndex, preserveNullAndEmptyArrays = false } = json as Readonly<Record<string, unknown>>
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

const INDEX: SqlType = { kind: 'int', bits: 31, absent: 'never' }

/** One document for each element of an array (pipeline-semantics.md, 30). */
export const unwind: StageDefinition = {
  name: '$unwind',
  parse: (json, context) => {
    const spec = parseUnwind(json, context)
    const name = spec.path[0] ?? ''
    return {
      stage: {
        name: '$unwind',
        run: documents => documents.flatMap(document => unwindOne(document, spec)),
        compile: (relation, compile) => {
          const column = relation.columns.find(one => one.name === name)
          // Nested paths, dotted indexes and kept empties are the evaluator's work.
          if (spec.path.length > 1 || spec.preserve || (spec.index !== undefined && spec.index.length > 1))
            return undefined
          if (column === undefined) return compile.step({ ...relation, tail: sql` where false` })
          if (column.type.kind !== 'list') return undefined
          const { of } = column.type
          const indexName = spec.index?.[0]
          const position = sql`generate_subscripts(${column.sql}, 1) - ${bind(1n, 'BIGINT')}`
          const columns = relation.columns
            .filter(one => one.name !== indexName || one === column)
            .map(one =>
              one === column ? { name, sql: sql`unnest(${column.sql})`, type: withAbsent(of, of.absent) } : one,
            )
            .map(one => (one.name === name && indexName === name ? { name, sql: position, type: INDEX } : one))
          const indexed =
            indexName !== undefined && indexName !== name ? [{ name: indexName, sql: position, type: INDEX }] : []
          const order = relation.order.length === 0 ? [] : [...relation.order, { sql: position, descending: false }]
          return compile.step({ columns: [...columns, ...indexed], from: relation.from, order })
        },
        toJson: () => ({
          $unwind: {
            path: `$${spec.path.join('.')}`,
            ...(spec.index === undefined ? {} : { includeArrayIndex: spec.index.join('.') }),
            preserveNullAndEmptyArrays: spec.preserve,
          },
        }),
      },
      // Paths walk through lists, so what was known of the array is known of its elements.
      shape: context.shape,
    }
  },
}
