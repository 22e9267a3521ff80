import { Aggregator } from 'mingo'
import { type Document, evaluate, parsePipeline, toPlain } from '../../src/pipeline/index.js'
import { now } from '../corpus/analyst-questions.js'
import { recordShape } from './record-shape.js'

/** A function that runs one pipeline over documents held in memory, and how many it gives. */
export type InMemory = () => number

/** The evaluator of this project. */
export function withEvaluator(pipeline: readonly object[], documents: readonly Document[]): InMemory {
  const parsed = parsePipeline(pipeline, { shape: recordShape, now })
  return () => evaluate(parsed, documents).length
}

/** Extended JSON as the JavaScript values mingo takes. */
function revived(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(revived)
  if (typeof json !== 'object' || json === null || json instanceof Date) return json
  if ('$date' in json) return new Date(json.$date as string)
  if ('$numberLong' in json) return Number(json.$numberLong)
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, revived(value)]))
}

/** mingo with all its operators, over the same documents; their dates are compared with dates, not with texts. */
export function withMingo(pipeline: readonly object[], documents: readonly object[]): InMemory {
  const parsed = parsePipeline(pipeline, { shape: recordShape, now })
  const stages = parsed.stages.map(stage => revived(stage.toJson()) as Record<string, unknown>)
  return () => new Aggregator(stages).run(documents as Record<string, unknown>[]).length
}

/** Documents as plain objects. */
export const plainDocuments = (documents: readonly Document[]) => documents.map(document => toPlain(document) as object)
