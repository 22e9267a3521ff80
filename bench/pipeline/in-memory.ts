import { Aggregator } from 'mingo'
import { type Document, evaluate, parsePipeline, toPlain } from '../../src/pipeline/index.js'
import { now } from '../corpus/analyst-questions.js'
import { recordShape } from './record-shape.js'

/** Runs one pipeline over documents held in memory: the evaluator of this project. */
export function withEvaluator(pipeline: readonly object[], documents: readonly Document[]): () => readonly Document[] {
  const parsed = parsePipeline(pipeline, { shape: recordShape, now })
  return () => evaluate(parsed, documents)
}

/** Extended JSON as the JavaScript values mingo takes. */
function revived(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(revived)
  if (typeof json !== 'object' || json === null || json instanceof Date) return json
  if ('$date' in json) return new Date(json.$date as string)
  if ('$regularExpression' in json) {
    const { pattern, options } = json.$regularExpression as { readonly pattern: string; readonly options: string }
    return new RegExp(pattern, options)
  }
  if ('$numberLong' in json) return Number(json.$numberLong)
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, revived(value)]))
}

/** The same, by mingo with all its operators, over the same documents; their dates are compared with dates, not with texts. */
export function withMingo(pipeline: readonly object[], documents: readonly object[]): () => readonly object[] {
  const parsed = parsePipeline(pipeline, { shape: recordShape, now })
  const stages = parsed.stages.map(stage => revived(stage.toJson()) as Record<string, unknown>)
  return () => new Aggregator(stages).run(documents as Record<string, unknown>[]) as object[]
}

/** Documents as plain objects. */
export const plainDocuments = (documents: readonly Document[]) => documents.map(document => toPlain(document) as object)
