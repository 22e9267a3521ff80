import { putField } from '../../base/fields.js'
import type { FieldType } from '../../calls/field-type.js'
import type { CompileContext, Environment, Expression, Fields } from '../tree.js'
import type { Column, Relation } from '../compile/relation.js'
import { isUnclear } from '../compile/types.js'
import { adviseField } from '../advise-field.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { toLiteral } from '../extended-json.js'
import { type FieldSet, type ParseContext, at, withFieldsSet } from '../parse-context.js'
import type { FieldPath } from '../path.js'
import { Refusal } from '../refusal.js'
import { type Document, type Value, isArray, isDocument, isNumeric } from '../value.js'
import { narrowColumn } from './narrow-column.js'
import { parseFields, type ProjectionField, type RuleTree, ruleTree } from './projection.js'
import { type PathValue, setColumns } from './set-columns.js'
import { shapeOf } from './shape-of.js'
import type { ParsedStage, StageDefinition } from './stage-definition.js'
import { allOf, readBy, rootsOf, without } from '../fields-read.js'

type Run = Omit<Environment, 'root'>

/** The included parts of a value: mapped over arrays, a scalar becomes nothing (rule "inclusion through arrays"). */
function included(value: Value | undefined, fields: RuleTree): Value | undefined {
  if (isArray(value)) {
    return value.filter(item => isArray(item) || isDocument(item)).map(item => included(item, fields) ?? null)
  }
  return isDocument(value) ? pick(value, fields) : undefined
}

function pick(document: Document, fields: RuleTree): Document {
  const out: Record<string, Value> = {}
  for (const [name, value] of Object.entries(document)) {
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (rule?.kind === 'include') putField(out, name, value)
    if (rule?.kind === 'inside') {
      const inner = included(value, rule.fields)
      if (inner !== undefined) putField(out, name, inner)
    }
  }
  return out
}

function excluded(value: Value, fields: RuleTree): Value {
  if (isArray(value)) return value.map(item => excluded(item, fields))
  return isDocument(value) ? omit(value, fields) : value
}

function omit(document: Document, fields: RuleTree): Document {
  const out: Record<string, Value> = {}
  for (const [name, value] of Object.entries(document)) {
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (rule?.kind === 'exclude') continue
    putField(out, name, rule?.kind === 'inside' ? excluded(value, rule.fields) : value)
  }
  return out
}

/** Computed fields follow the included ones in the order of the specification. */
function compute(into: Document, source: Document, fields: readonly ProjectionField[], run: Run): Document {
  return fields.reduce((out, { path, rule }) => {
    if (rule.kind !== 'compute') return out
    return setNested(out, source, path, evaluateExpression(rule.expression, { ...run, root: source }))
  }, into)
}

/** Sets a computed nested field; an array of the source on the way is kept as an array of what is set. */
function setNested(
  out: Document,
  source: Value | undefined,
  path: readonly string[],
  value: Value | undefined,
): Document {
  const [name, ...rest] = path
  if (name === undefined) return out
  if (rest.length === 0) return value === undefined ? out : { ...out, [name]: value }
  const old = isDocument(source) && Object.hasOwn(source, name) ? source[name] : undefined
  const there = Object.hasOwn(out, name) ? out[name] : undefined
  return { ...out, [name]: setWithin(there, old, rest, value) }
}

function setWithin(there: Value | undefined, old: Value | undefined, path: FieldPath, value: Value | undefined): Value {
  if (!isArray(old)) return setNested(isDocument(there) ? there : {}, old, path, value)
  return old.map((item, i) => setWithin(isArray(there) ? there[i] : undefined, item, path, value))
}

function compileInclusion(
  fields: readonly ProjectionField[],
  tree: RuleTree,
  relation: Relation,
  context: CompileContext,
): Relation | undefined {
  const kept: Column[] = []
  for (const column of relation.columns) {
    const rule = Object.hasOwn(tree, column.name) ? tree[column.name] : undefined
    if (rule?.kind === 'include') kept.push(column)
    if (rule?.kind === 'inside') {
      const narrowed = narrowColumn(column, rule.fields, 'include')
      if (narrowed === undefined) return undefined
      if (narrowed !== 'nothing') kept.push({ ...narrowed, name: column.name })
    }
  }
  const values: PathValue[] = []
  for (const { path, rule } of fields) {
    if (rule.kind !== 'compute') continue
    const [name] = path
    const value = context.expression(rule.expression)
    if (value === undefined || isUnclear(value)) return undefined
    const source = path.length === 1 ? undefined : relation.columns.find(column => column.name === name)
    // What is projected of a scalar or a list of scalars is nothing, yet the place is kept and filled.
    const isEntered = source === undefined || source.type.kind === 'struct'
    if (!isEntered && !kept.some(column => column.name === name)) return undefined
    values.push({ path, value })
  }
  const columns = setColumns(kept, values)
  return columns && context.step({ ...relation, columns })
}

function compileExclusion(tree: RuleTree, relation: Relation, context: CompileContext): Relation | undefined {
  const columns: Column[] = []
  for (const column of relation.columns) {
    const rule = Object.hasOwn(tree, column.name) ? tree[column.name] : undefined
    if (rule === undefined) columns.push(column)
    if (rule?.kind === 'inside') {
      const narrowed = narrowColumn(column, rule.fields, 'exclude')
      if (narrowed === undefined) return undefined
      columns.push(narrowed === 'nothing' ? column : { ...narrowed, name: column.name })
    }
  }
  return context.step({ ...relation, columns })
}

/** _id is included unless excluded, and is the one field that may be excluded among included ones (rule "inclusion and exclusion"). */
function parseRules(json: unknown, context: ParseContext) {
  const given = parseFields(json, context, '$project', true)
  const isId = (field: ProjectionField) => field.path.length === 1 && field.path[0] === '_id'
  const others = given.filter(field => !isId(field))
  const excludes = others.some(field => field.rule.kind === 'exclude')
  const keeps = others.some(field => field.rule.kind !== 'exclude')
  if (excludes && keeps) {
    throw new Refusal(
      context.where,
      '$project either includes fields or excludes them; only _id may be excluded among included ones',
    )
  }
  const id = given.find(isId)
  if (excludes && id?.rule.kind === 'compute') {
    throw new Refusal(context.where, '$project computes no _id where it excludes fields; put it in a $set')
  }
  const exclusive = excludes || (!keeps && id?.rule.kind === 'exclude')
  if (exclusive) return { exclusive, fields: given.filter(field => field.rule.kind === 'exclude') }
  const withoutId = given.filter(field => !(isId(field) && field.rule.kind === 'exclude'))
  const fields: readonly ProjectionField[] =
    id === undefined ? [{ path: ['_id'], rule: { kind: 'include' } }, ...withoutId] : withoutId
  return { exclusive, fields }
}

function shapeAfter(exclusive: boolean, fields: readonly ProjectionField[], context: ParseContext) {
  const before = context.shape
  if (before === undefined) return undefined
  const kept = new Map<string, FieldType | undefined>(exclusive ? before : [])
  for (const { path, rule } of fields) {
    const name = path[0] ?? ''
    if (rule.kind === 'exclude' && path.length === 1) kept.delete(name)
    // What is computed inside a field is set inside what there is of it.
    const isKept = rule.kind === 'include' || (rule.kind === 'compute' && path.length > 1)
    if (isKept && before.has(name)) kept.set(name, before.get(name))
  }
  // What nothing is known of is there with its first field, and what is known inside it with others.
  const seen = new Set(kept.keys())
  const set: FieldSet[] = []
  for (const { path, rule } of fields) {
    if (rule.kind === 'exclude') continue
    const [name = ''] = path
    if (rule.kind === 'compute') set.push({ path, type: shapeOf(rule.expression, context) })
    else if (!seen.has(name)) set.push({ path, type: undefined })
    seen.add(name)
  }
  return withFieldsSet(kept, set)
}

/** Of what is computed, the expressions tell. _id is kept and dropped as a matter of form. */
function adviseFields(fields: readonly ProjectionField[], context: ParseContext): void {
  for (const { path, rule } of fields) {
    if (rule.kind !== 'compute' && path[0] !== '_id') adviseField(path, at(context, path.join('.')))
  }
}

/** The fields that are dropped whole. */
function dropped(fields: readonly ProjectionField[]): readonly string[] {
  return fields.filter(({ path }) => path.length === 1).flatMap(({ path }) => path)
}

/** What is kept, what expressions read, and what something is set inside of. */
function readByInclusion(fields: readonly ProjectionField[]): Fields {
  const kept = fields.filter(({ path, rule }) => rule.kind === 'include' || path.length > 1)
  const expressions = fields.flatMap(({ rule }) => (rule.kind === 'compute' ? [rule.expression] : []))
  return allOf(rootsOf(kept.map(({ path }) => path)), readBy(expressions))
}

/** Keeps, drops and computes fields. */
export function projectStage(json: unknown, context: ParseContext): ParsedStage {
  const { exclusive, fields } = parseRules(json, context)
  const tree = ruleTree(fields)
  adviseFields(fields, context)
  return {
    stage: {
      name: '$project',
      run: (documents, environment) =>
        documents.map(document =>
          exclusive ? omit(document, tree) : compute(pick(document, tree), document, fields, environment),
        ),
      order: 'kept',
      compile: (relation, compile) =>
        exclusive ? compileExclusion(tree, relation, compile) : compileInclusion(fields, tree, relation, compile),
      toJson: () => ({ $project: toJson(fields, exclusive) }),
      reads: wanted => (exclusive ? without(wanted, dropped(fields)) : readByInclusion(fields)),
    },
    shape: shapeAfter(exclusive, fields, context),
  }
}

/** A number by itself would include the field. */
function computedToJson(expression: Expression): unknown {
  const isFlag = expression.kind === 'literal' && (isNumeric(expression.value) || typeof expression.value === 'boolean')
  return isFlag ? { $literal: toLiteral(expression.value) } : expressionToJson(expression)
}

function toJson(fields: readonly ProjectionField[], exclusive: boolean): object {
  const entries = fields.map(({ path, rule }): [string, unknown] => {
    return [path.join('.'), rule.kind === 'compute' ? computedToJson(rule.expression) : rule.kind === 'include']
  })
  const id: [string, unknown][] = exclusive || entries.some(([name]) => name === '_id') ? [] : [['_id', false]]
  return Object.fromEntries([...id, ...entries])
}

/** Keeps, drops and computes fields. */
export const project: StageDefinition = {
  name: '$project',
  doc: {
    form: '{ $project: { <field>: 1 | 0 | <expression>, … } }',
    meaning:
      'Keeps the fields set to 1 and those computed, or drops the fields set to 0. _id is kept unless it is set to 0. Kept fields stay in their order, computed ones follow. Paths reach into documents and arrays of documents.',
    example: {
      documents: [{ _id: 1, a: 2, b: { c: 3, d: 4 } }],
      pipeline: [{ $project: { _id: 0, 'b.c': 1, double: { $multiply: ['$a', 2] } } }],
      result: [{ b: { c: 3 }, double: 4 }],
    },
  },
  parse: projectStage,
}
