import { isObject } from '../../base/is-object.js'
import { echo } from '../../base/text.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { type ParseContext, at } from '../parse-context.js'
import { type FieldPath, parsePath, refuseCollisions } from '../path.js'
import { Refusal, refuseName } from '../refusal.js'
import type { Expression, Stage } from '../tree.js'
import { addFieldsStage } from './add-fields.js'
import { readOptions } from './read-options.js'
import { parseWindowCall, windowStage } from './set-window-fields.js'
import { type SortKey, parseKeys } from './sort.js'
import type { ParsedStage, StageDefinition } from './stage-definition.js'

const METHODS = { linear: '$linearFill', locf: '$locf' } as const

interface Filled {
  readonly path: FieldPath
  /** The value of what is null or missing, or how it is found. */
  readonly fill: { readonly value: unknown } | { readonly method: keyof typeof METHODS }
}

function parseFilled(name: string, json: unknown, context: ParseContext): Filled {
  const path = parsePath(name, context.where)
  const { value, method } = readOptions(json, '$fill', ['value', 'method'], context)
  if ((value === undefined) === (method === undefined)) {
    throw new Refusal(context.where, 'has either a value, or a method: linear or locf')
  }
  if (method === undefined) return { path, fill: { value } }
  const known = method === 'linear' || method === 'locf' ? method : undefined
  if (known === undefined) {
    const name = typeof method === 'string' ? method : JSON.stringify(method)
    refuseName(at(context, 'method').where, 'The method', name, Object.keys(METHODS), new Map())
  }
  return { path, fill: { method: known } }
}

/** partitionByFields as the document of those fields: missing ones are missing there too. */
function parsePartition(by: unknown, fields: unknown, context: ParseContext): Expression | undefined {
  if (by !== undefined && fields !== undefined) {
    throw new Refusal(context.where, '$fill takes either partitionBy or partitionByFields')
  }
  if (by !== undefined) {
    if (!isObject(by) && !(typeof by === 'string' && by.startsWith('$'))) {
      throw new Refusal(at(context, 'partitionBy').where, `is a field such as "$channel" or an object, not ${echo(by)}`)
    }
    return parseExpression(by, at(context, 'partitionBy'))
  }
  if (fields === undefined) return undefined
  const inner = at(context, 'partitionByFields')
  if (!Array.isArray(fields)) throw new Refusal(inner.where, 'is an array of field names')
  if (fields.length === 0) return undefined
  return fieldsDocument(fields, inner)
}

function fieldsDocument(fields: readonly unknown[], context: ParseContext): Expression {
  const entries = fields.map((field, i): readonly [string, Expression] => {
    const place = at(context, i)
    if (typeof field !== 'string') throw new Refusal(place.where, 'is a field name')
    return [`f${i}`, { kind: 'field', path: parsePath(field, place.where) }]
  })
  return { kind: 'object', fields: entries }
}

/** Values for what is null or missing, as $addFields sets them. */
function valueStage(filled: readonly Filled[], context: ParseContext): ParsedStage | undefined {
  const values = filled.flatMap(({ path, fill }): [string, unknown][] =>
    'value' in fill ? [[path.join('.'), { $ifNull: [`$${path.join('.')}`, fill.value] }]] : [],
  )
  if (values.length === 0) return undefined
  return addFieldsStage('$addFields').parse(Object.fromEntries(values), context, noStages)
}

const noStages = () => {
  throw new TypeError('$addFields has no sub-pipelines')
}

function methodStage(
  filled: readonly Filled[],
  partitionBy: Expression | undefined,
  sortBy: readonly SortKey[],
  context: ParseContext,
): Stage | undefined {
  const outputs = filled.flatMap(({ path, fill }) => {
    if (!('method' in fill)) return []
    const inner = at(at(context, 'output'), path.join('.'))
    if (sortBy.length === 0 && fill.method === 'linear')
      throw new Refusal(context.where, '$fill needs sortBy for linear')
    const call = parseWindowCall(METHODS[fill.method], `$${path.join('.')}`, undefined, sortBy, inner)
    return [{ path, operator: '$fill', call, frame: undefined }]
  })
  return outputs.length === 0 ? undefined : windowStage({ partitionBy, sortBy, outputs })
}

/** Fills what is null or missing: with a value, the last one before, or on the line between its neighbours. */
export const fill: StageDefinition = {
  name: '$fill',
  doc: {
    form: '{ $fill: { partitionBy: <expression>, sortBy: { <field>: 1 | -1 }, output: { <field>: { value: <expression> } | { method: "linear" | "locf" } } } }',
    meaning:
      'Fills fields that are null or missing: with a value, with the last value before in the order of sortBy (locf), or on the straight line between the values before and after (linear). partitionByFields: [<field>, …] may stand for partitionBy.',
    example: {
      documents: [{ day: 1, open: 4 }, { day: 2 }, { day: 3, open: 8, note: 'x' }],
      pipeline: [{ $fill: { sortBy: { day: 1 }, output: { open: { method: 'linear' }, note: { value: 'none' } } } }],
      result: [
        { day: 1, open: 4, note: 'none' },
        { day: 2, open: 6, note: 'none' },
        { day: 3, open: 8, note: 'x' },
      ],
    },
  },
  parse: (json, context) => {
    const options = readOptions(json, '$fill', ['partitionBy', 'partitionByFields', 'sortBy', 'output'], context)
    const inner = at(context, 'output')
    const { output } = options
    if (!isObject(output) || Object.keys(output).length === 0) {
      throw new Refusal(inner.where, 'is an object of at least one field, such as {"score": {"value": 0}}')
    }
    const filled = Object.entries(output).map(([name, one]) => parseFilled(name, one, at(inner, name)))
    refuseCollisions(
      filled.map(({ path }) => path),
      inner.where,
    )
    const partitionBy = parsePartition(options.partitionBy, options.partitionByFields, context)
    const sortBy = options.sortBy === undefined ? [] : parseKeys(options.sortBy, at(context, 'sortBy'))
    const values = valueStage(filled, context)
    const stages = [methodStage(filled, partitionBy, sortBy, context), values?.stage].filter(
      stage => stage !== undefined,
    )
    const after = values?.shape ?? context.shape
    // A number is advised about as one, whatever it is filled with.
    const names = filled.map(({ path: [name = ''] }) => {
      const type = context.shape?.get(name)
      return [name, type?.kind === 'int' || type?.kind === 'double' ? type : after?.get(name)] as const
    })
    return {
      stage: {
        name: '$fill',
        run: (documents, environment) => stages.reduce((now, stage) => stage.run(now, environment), documents),
        compile: (relation, compile) =>
          stages.reduce<ReturnType<Stage['compile']>>(
            (now, stage) => now && stage.compile(now, compile.over(now)),
            relation,
          ),
        toJson: () => ({ $fill: options }),
      },
      shape: after && new Map([...after, ...names]),
    }
  },
}
