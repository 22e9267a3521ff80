import { closest } from '../../base/closest.js'
import { echo } from '../../base/text.js'
import type { FieldType } from '../../calls/field-type.js'
import { advise } from '../advise.js'
import { advisePattern, adviseWildcards } from '../advise-pattern.js'
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

/** Operators that are written without their "$" now and then. */
const BARE = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'exists', 'regex', 'not', 'elemMatch', 'size'])

/** What makes dates of texts elsewhere, in lower case; in a filter a date is written out. */
const MADE_DATES = new Set(['$isodate', '$datetime', '$timestamp', '$todate', '$newdate'])

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
  if (isDocument(value)) return adviseDocument(value, path, context)
  if (typeof value === 'string') {
    if (isReference(value, shape)) {
      const example = `{"$expr": {"$eq": [${echo(`$${field}`)}, ${echo(value)}]}}`
      return advise(context, `${echo(value)} is a text in a filter; in $expr it is a field, such as ${example}`)
    }
    advisePattern(value, context, ['$regex', '$options'])
    adviseWildcards(value, context)
  }
  const [type, kind] = [typeAt(shape, path), kindOf(value)]
  if (kind === undefined) return
  if (type?.kind === 'struct') return adviseInside(field, type.fields, kind, context)
  if (type?.kind === 'string' && typeof value === 'string') return adviseChoice(value, type.values, field, context)
  const is = COLUMNS[type?.kind ?? 'open']
  if (is === undefined || is === kind) return
  const hint =
    is === 'date'
      ? 'compare it with an ISO 8601 date such as 2026-03-01'
      : `a ${kind} is never equal to it, above or below`
  advise(context, `${field} is a ${is}; ${hint}`)
}

/** Advises about a pattern that is looked for where no text is. */
export function adviseSearched(path: FieldPath, context: ParseContext): void {
  const type = typeAt(context.shape, path)
  if (type?.kind === 'struct') return adviseInside(path.join('.'), type.fields, 'text', context)
  const is = COLUMNS[type?.kind ?? 'open']
  if (is === undefined || is === 'text') return
  const hint =
    is === 'date' ? '; compare it with $gte and $lt, such as {"$gte": "2026-03-01", "$lt": "2026-04-01"}' : ''
  advise(context, `${path.join('.')} is a ${is}, and a pattern is found in texts only`, hint)
}

/** Names a field inside that could hold a value of the kind that was written. */
function adviseInside(
  field: string,
  fields: ReadonlyMap<string, FieldType>,
  kind: string,
  context: ParseContext,
): void {
  const alike = [...fields].filter(([, type]) => COLUMNS[type.kind] === kind).map(([name]) => name)
  const one = alike.includes('text') ? 'text' : (alike[0] ?? [...fields.keys()][0] ?? '')
  advise(context, `${field} holds documents; compare a field of them, such as ${echo(`${field}.${one}`)}`)
}

function adviseChoice(value: string, values: readonly string[] | undefined, field: string, context: ParseContext) {
  if (values === undefined || values.includes(value)) return
  const near = closest(value, values)
  const all = values.map(one => echo(one)).join(', ')
  advise(context, `${field} is one of ${all}`, near === undefined ? '' : `; did you mean ${echo(near)}?`)
}

function isReference(text: string, shape: NonNullable<ParseContext['shape']>): boolean {
  if (!text.startsWith('$')) return false
  return text.startsWith('$$') || shape.has(text.slice(1).split('.', 1)[0] ?? '')
}

function adviseDocument(value: object, path: FieldPath, context: ParseContext): void {
  const [name] = Object.keys(value)
  if (name === undefined) return
  const field = path.join('.')
  if (name.startsWith('$')) {
    const text: unknown = (value as Readonly<Record<string, unknown>>)[name]
    if (MADE_DATES.has(name.toLowerCase()) && typeof text === 'string') {
      const meant = `a date is {"$date": ${echo(text)}}, or the text ${echo(text)} alone`
      return advise(context, `${echo(name)} is not computed in a filter; ${meant}`)
    }
    const example = `{"$expr": {"$gte": [${echo(`$${field}`)}, {${echo(name)}: …}]}}`
    return advise(context, `${echo(name)} is not computed in a filter; put it in $expr, such as ${example}`)
  }
  const is = COLUMNS[typeAt(context.shape, path)?.kind ?? 'open']
  if (is === undefined) return
  const hint = BARE.has(name) ? `; did you mean {${echo(`$${name}`)}: …}?` : ''
  advise(context, `${field} is a ${is}; an object is never equal to it`, hint)
}
