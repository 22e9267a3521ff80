import { isObject } from '../base/is-object.js'
import { echo } from '../base/text.js'
import { type PipelineLimits, checkLimits, defaultLimits } from './limits.js'
import { type ParseContext, type Shape, at } from './parse-context.js'
import type { Pipeline } from './pipeline.js'
import { Refusal, refuseName } from './refusal.js'
import { refusedOperators } from './refused-operators.js'
import { stageDefinitions } from './stages/stage-definitions.js'
import type { ParseStages, ParsedStage, StageDefinition } from './stages/stage-definition.js'
import type { Stage } from './tree.js'

const definitions: ReadonlyMap<string, StageDefinition> = new Map(stageDefinitions.map(one => [one.name, one]))

export interface ParseOptions {
  /** The types of the documents' fields: dates are normalised and unknown fields warned about by it. */
  readonly shape?: Shape
  readonly limits?: PipelineLimits
  /** The instant of `$$NOW`; the time of parsing when absent. */
  readonly now?: Date
  /** The zone in which whoever asks counts days: where it is not UTC, days in filters are advised about. */
  readonly timeZone?: string
  /** For pipelines written by us: they may name the source's derived fields. */
  readonly derivedFields?: boolean
}

function parseStage(json: unknown, context: ParseContext): ParsedStage {
  if (!isObject(json)) {
    throw new Refusal(context.where, 'a stage is an object with one key, such as {"$match": {…}}')
  }
  const keys = Object.keys(json)
  const name = keys[0]
  if (name === undefined || keys.length > 1) {
    throw new Refusal(
      context.where,
      `a stage has exactly one key, not ${keys.length}: ${echo(keys.slice(0, 5).join(', '))}`,
    )
  }
  const where = `${context.where}.${name.slice(0, 100)}`
  const definition = definitions.get(name)
  if (definition === undefined) refuseName(where, 'The stage', name, definitions.keys(), refusedOperators)
  return definition.parse(json[name], { ...context, where }, parseStages)
}

/** The stages of a pipeline or of a sub-pipeline, each knowing the fields the one before leaves. */
const parseStages: ParseStages = (json, context) => {
  if (!Array.isArray(json)) throw new Refusal(context.where, 'is an array of stages, such as [{"$match": {…}}]')
  let { shape } = context
  const stages = json.map((item: unknown, i): Stage => {
    const parsed = parseStage(item, { ...at(context, i), shape })
    shape = parsed.shape
    return parsed.stage
  })
  return { stages, shape }
}

/**
 * The guard: the only way to a Pipeline. Limits are counted first, then everything is read by allow-lists.
 * @throws Refusal with the place, the offender, the reason and the closest allowed name.
 */
export function parsePipeline(json: unknown, options: ParseOptions = {}): Pipeline {
  const limits = options.limits ?? defaultLimits
  if (!Array.isArray(json)) throw new Refusal('pipeline', 'is an array of stages, such as [{"$match": {…}}]')
  if (json.length > limits.stages) {
    throw new Refusal('pipeline', `has ${json.length} stages; at most ${limits.stages} are allowed`)
  }
  checkLimits(json, limits)
  const warnings: string[] = []
  const { stages } = parseStages(json, {
    where: 'pipeline',
    limits,
    variables: new Map(),
    shape: options.shape,
    warnings,
    patterns: { parts: 0 },
    timeZone: options.timeZone,
    ownPipeline: options.derivedFields ?? false,
  })
  const pipeline: Omit<Pipeline, symbol> = {
    stages,
    now: options.now ?? new Date(),
    derivedFields: options.derivedFields ?? false,
    warnings,
    source: { json, shape: options.shape, limits },
  }
  return Object.freeze(pipeline) as Pipeline
}
