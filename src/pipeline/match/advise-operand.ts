import type { FieldType } from '../../calls/field-type.js'
import { echo } from '../../base/text.js'
import { advise } from '../advise.js'
import { advisePattern } from '../advise-pattern.js'
import { type ParseContext, typeAt } from '../parse-context.js'
import type { FieldPath } from '../path.js'
import { type Value, isDocument, isNumeric } from '../value.js'

const COLUMNS: Readonly<Partial<Record<FieldType['kind'], string>>> = {
  string: 'text',
  int: 'number',
  double: 'number',
  bool: 'boolean',
  date: 'date',
}

function kindOf(value: Value): string | undefined {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'boolean'
  if (isNumeric(value)) return 'number'
  return value instanceof Date ? 'date' : undefined
}

/** Advises about a value that a filter takes as it stands although something else was probably meant. */
export function adviseOperand(value: Value, path: FieldPath, context: ParseContext): void {
  const { shape } = context
  if (shape === undefined) return
  const field = path.join('.')
  if (isDocument(value)) return adviseComputed(value, field, context)
  if (typeof value === 'string') {
    if (isReference(value, shape)) {
      const example = `{"$expr": {"$eq": [${echo(`$${field}`)}, ${echo(value)}]}}`
      return advise(context, `${echo(value)} is a text in a filter; in $expr it is a field, such as ${example}`)
    }
    advisePattern(value, context, ['$regex', '$options'])
  }
  const [is, kind] = [COLUMNS[typeAt(shape, path)?.kind ?? 'open'], kindOf(value)]
  if (is === undefined || kind === undefined || is === kind) return
  const hint =
    is === 'date'
      ? 'compare it with an ISO 8601 date such as 2026-03-01'
      : `a ${kind} is never equal to it, above or below`
  advise(context, `${field} is a ${is}; ${hint}`)
}

function isReference(text: string, shape: NonNullable<ParseContext['shape']>): boolean {
  if (!text.startsWith('$')) return false
  return text.startsWith('$$') || shape.has(text.slice(1).split('.', 1)[0] ?? '')
}

function adviseComputed(value: object, field: string, context: ParseContext): void {
  const [name] = Object.keys(value)
  if (name?.startsWith('$') !== true) return
  const example = `{"$expr": {"$gte": [${echo(`$${field}`)}, {${echo(name)}: …}]}}`
  advise(context, `${echo(name)} is not computed in a filter; put it in $expr, such as ${example}`)
}
