import { elementBulk } from '../../compile/bulk.js'
import { lambdaName } from '../../compile/lambda.js'
import { type Fragment, bind, join, sql } from '../../compile/sql.js'
import type { SqlExpression } from '../../compile/types.js'
import type { CompileContext, Expression } from '../../tree.js'
import { isArray } from '../../value.js'

const isCall = (expression: Expression | undefined, operator: string) =>
  expression?.kind === 'call' && expression.operator === operator

const operandsOf = (expression: Expression | undefined): readonly Expression[] =>
  expression?.kind === 'call' ? expression.operands : []

const isVariable = (expression: Expression | undefined, name: string): boolean =>
  expression?.kind === 'field' && expression.variable === name && expression.path.length === 0

const textOf = (expression: Expression | undefined): string | undefined =>
  expression?.kind === 'literal' && typeof expression.value === 'string' ? expression.value : undefined

function mentions(expression: Expression, name: string): boolean {
  if (expression.kind === 'field') return expression.variable === name
  if (expression.kind === 'object') return expression.fields.some(([, field]) => mentions(field, name))
  const inside = expression.kind === 'array' ? expression.items : expression.kind === 'call' ? expression.operands : []
  return inside.some(one => mentions(one, name))
}

/** `{$eq: ['$$value', '']}` */
const isEmptySoFar = (expression: Expression | undefined): boolean => {
  const [value, text] = operandsOf(expression)
  return isCall(expression, '$eq') && isVariable(value, 'value') && textOf(text) === ''
}

/**
 * What stands between elements that are joined, `undefined` where the body does another thing:
 * `{$concat: ['$$value', {$cond: [{$eq: ['$$value', '']}, '', ', ']}, '$$this']}`, or
 * `{$cond: [{$eq: ['$$value', '']}, '$$this', {$concat: ['$$value', ', ', '$$this']}]}`
 */
function separatorOf(body: Expression): string | undefined {
  const parts = operandsOf(body)
  if (isCall(body, '$concat') && parts.length === 3) {
    const [condition, none, some] = operandsOf(parts[1])
    const isFit = isVariable(parts[0], 'value') && isCall(parts[1], '$cond') && isVariable(parts[2], 'this')
    return isFit && isEmptySoFar(condition) && textOf(none) === '' ? textOf(some) : undefined
  }
  if (!isCall(body, '$cond') || !isEmptySoFar(parts[0]) || !isVariable(parts[1], 'this')) return undefined
  const [value, between, element, ...more] = operandsOf(parts[2])
  const isFit = isCall(parts[2], '$concat') && isVariable(value, 'value') && isVariable(element, 'this')
  return isFit && more.length === 0 ? textOf(between) : undefined
}

/**
 * $reduce where it joins texts or arrays, as one function of the engine: step by step the engine would copy what was made so
 * far for each element.
 */
export function joinedSql(
  list: SqlExpression,
  initial: SqlExpression,
  body: Expression,
  context: CompileContext,
): SqlExpression | undefined {
  if (list.type.kind !== 'list' || initial.fails !== undefined) return undefined
  const { of } = list.type
  const parts = operandsOf(body)
  if (isCall(body, '$concatArrays') && parts.length === 2) {
    const isFit = isVariable(parts[0], 'value') && isVariable(parts[1], 'this')
    if (!isFit || !isArray(initial.literal) || initial.literal.length > 0) return undefined
    return of.kind === 'list' && of.absent === 'never' ? { sql: sql`flatten(${list.sql})`, type: of } : undefined
  }
  if (initial.type.kind !== 'string' || initial.type.absent !== 'never') return undefined
  const separator = separatorOf(body)
  if (separator !== undefined) {
    // Before the first text that is not empty nothing stands between.
    if (initial.literal !== '' || of.kind !== 'string' || of.absent !== 'never' || !context.perRow) return undefined
    const text = sql`array_to_string(${list.sql}, ${bind(separator, 'VARCHAR')})`
    return {
      sql: context.exactUnless(sql`list_contains(${list.sql}, '')`, text),
      type: { kind: 'string', absent: 'never' },
    }
  }
  if (!isCall(body, '$concat') || !isVariable(parts[0], 'value')) return undefined
  const rest = parts.slice(1)
  if (rest.length === 0 || rest.some(one => mentions(one, 'value'))) return undefined
  const [element, text] = [lambdaName(), lambdaName()]
  const inside = context.boundElements(new Map([['this', { sql: element, type: of, bulk: elementBulk(list) }]]))
  const compiled = rest.map(one => inside.expression(one))
  const isText = (one: SqlExpression | undefined): one is SqlExpression =>
    one?.type.kind === 'string' && one.fails === undefined
  if (!compiled.every(isText)) return undefined
  const joinedParts = join(
    compiled.map(one => one.sql),
    ' || ',
  )
  const texts: Fragment = sql`list_transform(${list.sql}, lambda ${element}: ${joinedParts})`
  const all = sql`(${initial.sql} || array_to_string(${texts}, ''))`
  if (compiled.every(({ type }) => type.absent === 'never'))
    return { sql: all, type: { kind: 'string', absent: 'never' } }
  // One text that is not there makes the whole null.
  const isWhole = sql`len(list_filter(${texts}, lambda ${text}: ${text} is null)) = 0`
  return { sql: sql`(case when ${isWhole} then ${all} end)`, type: { kind: 'string', absent: 'null' } }
}
