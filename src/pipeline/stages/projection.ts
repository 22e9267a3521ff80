import { echo } from '../../base/text.js'
import { adviseConstant } from '../advise-constant.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { readExtended } from '../extended-json.js'
import { allOf, readBy, rootsOf } from '../fields-read.js'
import { type ParseContext, at } from '../parse-context.js'
import { byFirstName, type FieldPath, parsePath, refuseCollisions } from '../path.js'
import { Refusal } from '../refusal.js'
import type { Expression } from '../tree.js'
import { Double, type Value, isNumeric, isTruthy } from '../value.js'

/** What a specification says of one path. */
export type Rule =
  | { readonly kind: 'include' }
  | { readonly kind: 'exclude' }
  | { readonly kind: 'compute'; readonly expression: Expression }

export interface ProjectionField {
  readonly path: FieldPath
  readonly rule: Rule
}

/** The rules of a specification as a tree by path, so that each level is visited once. */
export interface RuleTree {
  readonly [name: string]: Rule | { readonly kind: 'inside'; readonly fields: RuleTree }
}

const isPlainObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' &&
  json !== null &&
  !Array.isArray(json) &&
  !(json instanceof Date) &&
  !(json instanceof Double)

/**
 * The fields of a $project, $addFields or $set specification. Objects without operators are nested fields; any number
 * other than 0 includes (also 0.5 and -1) where `flags` are read, and is a value elsewhere.
 */
export function parseFields(
  json: unknown,
  context: ParseContext,
  name: string,
  flags: boolean,
): readonly ProjectionField[] {
  if (!isPlainObject(json) || Object.keys(json).length === 0) {
    throw new Refusal(context.where, `${name} takes an object of at least one field`)
  }
  const fields = Object.entries(json).flatMap(([key, value]) => parseField([], key, value, at(context, key), flags))
  refuseCollisions(
    fields.map(field => field.path),
    context.where,
  )
  adviseTexts(fields, context)
  return fields
}

/**
 * Advises about texts that are names of fields, but for those that stand beside what reads that field: they may be labels
 * of it.
 */
function adviseTexts(fields: readonly ProjectionField[], context: ParseContext): void {
  const texts = fields.flatMap(({ path, rule }) => {
    if (rule.kind !== 'compute' || rule.expression.kind !== 'literal') return []
    const { value: text } = rule.expression
    return typeof text === 'string' ? [{ path, text }] : []
  })
  // Few specifications have any, and finding what one reads walks through all of it.
  if (texts.length === 0) return
  const kept = fields.flatMap(({ path, rule }) => (rule.kind === 'include' ? [path] : []))
  const read = allOf(
    rootsOf(kept),
    readBy(fields.flatMap(({ rule }) => (rule.kind === 'compute' ? [rule.expression] : []))),
  )
  if (read === 'all') return
  for (const { path, text } of texts) {
    if (!read.has(text.split('.', 1)[0] ?? '')) adviseConstant(text, at(context, path.join('.')))
  }
}

function parseField(
  parent: FieldPath,
  key: string,
  json: unknown,
  context: ParseContext,
  flags: boolean,
): readonly ProjectionField[] {
  if (key.startsWith('$')) throw new Refusal(context.where, `${echo(key)} stands where a field name belongs`)
  const path = [...parent, ...parsePath(key, context.where)]
  const value = isPlainObject(json) ? readExtended(json, context.where) : json
  if (flags && (typeof value === 'boolean' || isNumeric(value as Value))) {
    return [{ path, rule: { kind: isTruthy(value as Value) ? 'include' : 'exclude' } }]
  }
  if (flags && isPlainObject(json) && Object.keys(json).length === 0) {
    throw new Refusal(context.where, 'is an empty object; for one as the value write {"$literal": {}}')
  }
  const nested =
    isPlainObject(json) && value === undefined && Object.keys(json).length > 0 && !Object.keys(json)[0]!.startsWith('$')
  if (nested) {
    return Object.entries(json).flatMap(([inner, value]) => parseField(path, inner, value, at(context, inner), flags))
  }
  return [{ path, rule: { kind: 'compute', expression: parseExpression(json, context) } }]
}

/** The tree of rules; paths are known not to collide. */
export function ruleTree(fields: readonly ProjectionField[]): RuleTree {
  const entries = [...byFirstName(fields)].map(([name, { whole, inside }]): readonly [string, RuleTree[string]] => [
    name,
    whole?.rule ?? { kind: 'inside', fields: ruleTree(inside) },
  ])
  return Object.fromEntries(entries)
}
