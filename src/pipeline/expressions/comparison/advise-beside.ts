import { echo } from '../../../base/text.js'
import type { FieldType } from '../../../calls/field-type.js'
import { advise } from '../../advise.js'
import { adviseConstant } from '../../advise-constant.js'
import { toLiteral } from '../../extended-json.js'
import type { ParseContext } from '../../parse-context.js'
import { shapeOf } from '../../stages/shape-of.js'
import type { Expression } from '../../tree.js'
import { isArray, isDocument } from '../../value.js'

/** Kinds of which no value equals, or is a list of, another kind's. */
const SCALARS: ReadonlySet<FieldType['kind'] | undefined> = new Set(['bool', 'date', 'double', 'int', 'string'])

/** What a text is beside, and what it means there. */
const BESIDE_TEXT: ReadonlyMap<FieldType['kind'] | undefined, string> = new Map([
  ['int', 'number: every text is above every number, and none equals one'],
  ['double', 'number: every text is above every number, and none equals one'],
  ['date', 'date; write an ISO 8601 date such as 2026-03-01'],
])

/**
 * Advises about a text beside a number or a date, about one that is a field's name, unless it may be compared with texts, and about a list beside a value: the
 * list is compared as a whole.
 */
export function adviseBeside(name: string, operands: readonly Expression[], context: ParseContext): void {
  if (context.shape === undefined) return
  const [a, b] = operands
  if (a === undefined || b === undefined) return
  adviseName(a, b, context)
  adviseName(b, a, context)
  adviseEntries(name, a, b, context, value => `"$$this", ${value}`)
  adviseEntries(name, b, a, context, value => `${value}, "$$this"`)
}

function adviseName(text: Expression, other: Expression, context: ParseContext): void {
  if (text.kind !== 'literal') return
  const kind = shapeOf(other, context)?.kind
  const mayBeText = other.kind !== 'literal' && (kind === 'string' || !SCALARS.has(kind))
  if (mayBeText || adviseConstant(text.value, context) || typeof text.value !== 'string') return
  const hint = BESIDE_TEXT.get(kind)
  if (hint !== undefined) advise(context, `${echo(text.value)} is a text here, beside a ${hint}`)
}

function adviseEntries(
  name: string,
  list: Expression,
  other: Expression,
  context: ParseContext,
  inOrder: (value: string) => string,
): void {
  if (list.kind !== 'field' || shapeOf(list, context)?.kind !== 'list' || !isScalar(other, context)) return
  const path = echo(['$', ...(list.variable === undefined ? [] : [`$${list.variable}.`]), list.path.join('.')].join(''))
  const value = other.kind === 'literal' ? echo(toLiteral(other.value)) : '…'
  const meant =
    name === '$eq' || name === '$ne'
      ? `whether it holds a value is {"$in": [${value}, ${path}]}`
      : `of its entries ask {"$anyElementTrue": {"$map": {"input": ${path}, "in": {${echo(name)}: [${inOrder(value)}]}}}}`
  advise(context, `${path} is a list, which is compared as a whole`, `; ${meant}, or a filter with $elemMatch`)
}

/** Whether it is a value that may be an entry, but is no list itself; null is asked for to see whether there is a list. */
function isScalar(operand: Expression, context: ParseContext): boolean {
  if (operand.kind !== 'literal') return SCALARS.has(shapeOf(operand, context)?.kind)
  return operand.value !== null && !isArray(operand.value) && !isDocument(operand.value)
}
