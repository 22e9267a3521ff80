import { isObject } from '../../base/is-object.js'
import { echo } from '../../base/text.js'
import { adviseField } from '../advise-field.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { type ParseContext, type Shape, at, withFieldsSet } from '../parse-context.js'
import { parsePath, refuseCollisions } from '../path.js'
import { Refusal, refuseName } from '../refusal.js'
import { refusedOperators } from '../refused-operators.js'
import type { Environment, Fields, Stage } from '../tree.js'
import type { Document } from '../value.js'
import { type WindowFrame, frameToJson, isWhole, parseWindowFrame } from '../windows/window-frame.js'
import type { WindowCall, WindowFunction } from '../windows/window-function.js'
import { windowFunctions } from '../windows/window-functions.js'
import { readOptions } from './read-options.js'
import { setPath } from './set-path.js'
import { shapeOf } from './shape-of.js'
import { type SortKey, parseKeys } from './sort.js'
import type { StageDefinition } from './stage-definition.js'
import { partitionView, partitions } from './window-partitions.js'
import { windowSql } from './window-sql.js'
import { allOf, readBy, rootsOf } from '../fields-read.js'
import type { WindowOutput, WindowSpec } from './window-spec.js'

const byName: ReadonlyMap<string, WindowFunction> = new Map(windowFunctions.map(one => [one.name, one]))

function checkSort(name: string, sort: WindowFunction['sort'], sortBy: readonly SortKey[], where: string): void {
  if (sort === 'free') return
  if (sortBy.length === 0) throw new Refusal(where, `${name} needs sortBy`)
  if (sort === 'one' && sortBy.length > 1) throw new Refusal(where, `${name} needs sortBy to name one field only`)
}

function checkFrame(frame: WindowFrame, sortBy: readonly SortKey[], where: string): void {
  if (frame.kind === 'documents') {
    if (!isWhole(frame) && sortBy.length === 0) throw new Refusal(where, 'a window of documents needs sortBy')
    return
  }
  if (sortBy.length !== 1 || sortBy[0]?.descending === true) {
    throw new Refusal(where, 'a window of a range needs sortBy with one ascending field')
  }
}

/** A window function by its name, its argument and its window. */
export function parseWindowCall(
  name: string,
  argument: unknown,
  frame: WindowFrame | undefined,
  sortBy: readonly SortKey[],
  context: ParseContext,
): WindowCall {
  const definition = byName.get(name)
  if (definition === undefined) {
    refuseName(context.where, 'The window function', name, byName.keys(), refusedOperators)
  }
  checkSort(name, definition.sort, sortBy, context.where)
  if (definition.window === 'none' && frame !== undefined) {
    throw new Refusal(context.where, `${name} takes no window`)
  }
  if (definition.window === 'required' && frame === undefined) {
    throw new Refusal(context.where, `${name} needs a window, such as {"documents": [-1, 0]}`)
  }
  return definition.parse(argument, context, { sortBy, frame })
}

function parseOutput(name: string, json: unknown, sortBy: readonly SortKey[], context: ParseContext): WindowOutput {
  const path = parsePath(name, context.where)
  if (!isObject(json)) {
    throw new Refusal(context.where, 'is a window function, such as {"$sum": "$score", "window": {…}}')
  }
  const { window, ...rest } = json
  const keys = Object.keys(rest)
  const operator = keys[0]
  if (operator === undefined || keys.length > 1) {
    throw new Refusal(context.where, 'each output is exactly one window function, with or without a window')
  }
  const inner = at(context, 'window')
  const frame = window === undefined ? undefined : parseWindowFrame(window, inner)
  if (frame !== undefined) checkFrame(frame, sortBy, inner.where)
  return {
    path,
    operator,
    frame,
    call: parseWindowCall(operator, rest[operator], frame, sortBy, at(context, operator)),
  }
}

/** An object of what an array lists, as it would be right. */
function partitionsBy(list: readonly unknown[]): string {
  const named = list.every((one): one is string => typeof one === 'string' && /^\$\w/.test(one))
  const entries = named ? list.map(one => `${echo(one.slice(1).replaceAll('.', '_'))}: ${echo(one)}`) : []
  return `write an object, such as {${entries.length === 0 ? '"a": "$a", "b": "$b"' : entries.join(', ')}}`
}

function parseSpec(json: unknown, context: ParseContext): WindowSpec {
  const options = readOptions(json, '$setWindowFields', ['partitionBy', 'sortBy', 'output'], context)
  const sortBy = options.sortBy === undefined ? [] : parseKeys(options.sortBy, at(context, 'sortBy'))
  for (const { path } of sortBy) adviseField(path, at(context, 'sortBy'))
  const inner = at(context, 'output')
  const { output } = options
  if (!isObject(output)) {
    throw new Refusal(inner.where, `is an object of window functions, not ${echo(output)}`)
  }
  const outputs = Object.entries(output).map(([name, one]) => parseOutput(name, one, sortBy, at(inner, name)))
  refuseCollisions(
    outputs.map(one => one.path),
    inner.where,
  )
  const { partitionBy } = options
  if (Array.isArray(partitionBy)) {
    // MongoDB refuses an array when it meets one; of one that is written out nothing else can come.
    throw new Refusal(at(context, 'partitionBy').where, `is no array; by several values ${partitionsBy(partitionBy)}`)
  }
  return {
    partitionBy: partitionBy === undefined ? undefined : parseExpression(partitionBy, at(context, 'partitionBy')),
    sortBy,
    outputs,
  }
}

function setWindowFieldsOf(
  documents: readonly Document[],
  { partitionBy, sortBy, outputs }: WindowSpec,
  environment: Omit<Environment, 'root'>,
): readonly Document[] {
  const keyOf = (root: Document) =>
    partitionBy === undefined ? null : evaluateExpression(partitionBy, { ...environment, root })
  return partitions(documents, keyOf, sortBy).flatMap(partition => {
    const columns = outputs.map(({ path, call, frame }) => ({
      path,
      values: call.run(partitionView(partition, sortBy, frame, environment)),
    }))
    return partition.documents.map((document, i) =>
      columns.reduce((out, { path, values }) => setPath(out, path, values[i]), document),
    )
  })
}

/** What partitions, orders and functions read, and what something is set inside of. */
function readByWindows({ partitionBy, sortBy, outputs }: WindowSpec): Fields {
  const expressions = [
    ...(partitionBy === undefined ? [] : [partitionBy]),
    ...outputs.flatMap(({ call }) => call.operands),
  ]
  const nested = outputs.map(({ path }) => path).filter(path => path.length > 1)
  return allOf(readBy(expressions), rootsOf([...sortBy.map(({ path }) => path), ...nested]))
}

/** The stage of a parsed specification. */
export function windowStage(spec: WindowSpec): Stage {
  return {
    name: '$setWindowFields',
    run: (documents, environment) => setWindowFieldsOf(documents, spec, environment),
    compile: (relation, context) => windowSql(spec, relation, context),
    reads: wanted => allOf(wanted, readByWindows(spec)),
    toJson: () => ({
      $setWindowFields: {
        ...(spec.partitionBy === undefined ? {} : { partitionBy: expressionToJson(spec.partitionBy) }),
        ...(spec.sortBy.length === 0
          ? {}
          : { sortBy: Object.fromEntries(spec.sortBy.map(key => [key.path.join('.'), key.descending ? -1 : 1])) }),
        output: Object.fromEntries(
          spec.outputs.map(({ path, call, frame }) => [
            path.join('.'),
            { ...call.toJson(), ...(frame === undefined ? {} : { window: frameToJson(frame) }) },
          ]),
        ),
      },
    }),
  }
}

function shapeAfter(outputs: readonly WindowOutput[], before: Shape, context: ParseContext): Shape {
  return withFieldsSet(
    before,
    outputs.map(({ path, call }) => ({ path, type: call.gives?.(one => shapeOf(one, context)) })),
  )
}

/** Sets fields computed over windows: the documents around each in its partition. */
export const setWindowFields: StageDefinition = {
  name: '$setWindowFields',
  doc: {
    form: '{ $setWindowFields: { partitionBy: <expression>, sortBy: { <field>: 1 | -1, … }, output: { <field>: { <window function>: …, window: { documents: [<lower>, <upper>] } } } } }',
    meaning:
      'Sets fields computed over a window of documents around each: of its partition, in the order of sortBy. A window is documents: [lower, upper] by places, or range: [lower, upper] (with unit for dates) by the values of the field sorted by; bounds are numbers, "current" or "unbounded". Without a window it is the whole partition.',
    example: {
      documents: [
        { agent: 'Ana', week: 1, calls: 10 },
        { agent: 'Ana', week: 2, calls: 14 },
        { agent: 'Ben', week: 1, calls: 3 },
      ],
      pipeline: [
        {
          $setWindowFields: {
            partitionBy: '$agent',
            sortBy: { week: 1 },
            output: { total: { $sum: '$calls', window: { documents: ['unbounded', 'current'] } } },
          },
        },
      ],
      result: [
        { agent: 'Ana', week: 1, calls: 10, total: 10 },
        { agent: 'Ana', week: 2, calls: 14, total: 24 },
        { agent: 'Ben', week: 1, calls: 3, total: 3 },
      ],
    },
  },
  parse: (json, context) => {
    const spec = parseSpec(json, context)
    return { stage: windowStage(spec), shape: context.shape && shapeAfter(spec.outputs, context.shape, context) }
  },
}
