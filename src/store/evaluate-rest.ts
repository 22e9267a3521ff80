import { mapFields } from '../base/fields.js'
import { types } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { Problem, type ProblemCode, type ProblemDetail } from '../base/problem.js'
import {
  type Document,
  Double,
  type PipelineSource,
  type RowShape,
  type Value,
  decoder,
  evaluate,
  isArray,
  isDocument,
  parsePipeline,
} from '../pipeline/index.js'
import { documentTooLarge } from './document-too-large.js'

/** The stages of a pipeline that an engine could not run, and what it left for them. */
export interface EvaluationTask {
  readonly source: PipelineSource
  readonly derivedFields: boolean
  readonly now: Date
  /** The first stage that runs here. */
  readonly from: number
  readonly chunks: readonly Uint8Array<ArrayBuffer>[]
  readonly maxDocuments: number
  /** Most bytes of JSON that the documents have at least. */
  readonly maxBytes: number
}

/** The same of the embedded engine, with how its rows become documents. */
export interface RestTask extends EvaluationTask {
  readonly rows: RowShape
}

/** What came of it: documents as bytes, or a failure as plain data, since errors lose their fields on the way. */
export type RestOutcome =
  | { readonly documents: Uint8Array<ArrayBuffer>; readonly truncated: boolean }
  | { readonly problem: { code: ProblemCode; message: string; details: readonly ProblemDetail[] } }

/**
 * Runs the stages after the engine's over its rows. The work of a worker; see RestPool.
 * @public the worker is found by its file, and this by its name
 */
export function evaluateRest(task: RestTask): RestOutcome {
  return evaluateOver(task, () => documentsOf(task))
}

/** Runs the stages after the engine's over documents. */
export function evaluateOver(task: EvaluationTask, read: () => readonly Document[]): RestOutcome {
  try {
    const { source, now, derivedFields } = task
    const { shape, limits } = source
    const pipeline = parsePipeline(source.json, {
      ...(shape === undefined ? {} : { shape }),
      limits,
      now,
      derivedFields,
    })
    const documents = evaluate(pipeline, read(), task.from)
    const kept = documents.slice(0, task.maxDocuments)
    const fitting = kept.slice(0, fitWithin(kept, task.maxBytes))
    if (fitting.length === 0 && kept.length > 0) throw documentTooLarge(task.maxBytes)
    return { documents: packed(fitting), truncated: fitting.length < documents.length }
  } catch (error) {
    const { code, message, details } = problemOf(error)
    return { problem: { code, message, details } }
  }
}

function documentsOf({ rows, chunks }: RestTask): readonly Document[] {
  const decode = decoder(rows)
  const documents: Document[] = []
  for (const chunk of chunks) {
    for (const row of deserialize(chunk) as unknown[][]) {
      const document = decode(row)
      if (document !== undefined) documents.push(document)
    }
  }
  return documents
}

/** How many of the documents have no more bytes of JSON than that, at least. */
function fitWithin(documents: readonly Document[], maxBytes: number): number {
  let left = maxBytes
  for (const [i, document] of documents.entries()) {
    left -= leastBytes(document, left)
    if (left < 0) return i
  }
  return documents.length
}

/** Bytes that a value's JSON has at least; beyond `most` it is not counted on. */
export function leastBytes(value: Value, most: number): number {
  if (typeof value === 'string') return value.length
  if (!isArray(value) && !isDocument(value)) return 1
  let bytes = 2
  for (const item of isArray(value) ? value : Object.values(value)) {
    bytes += leastBytes(item, most - bytes)
    if (bytes > most) break
  }
  return bytes
}

/** Documents as bytes. A Double would come out as a plain object; a boxed number keeps what it is. */
function packed(documents: readonly Document[]): Uint8Array<ArrayBuffer> {
  return serialize(documents.map(boxed))
}

function boxed(value: Value): unknown {
  if (value instanceof Double) return Object(value.value)
  if (isArray(value)) return value.map(boxed)
  return isDocument(value) ? mapFields(value, boxed) : value
}

/** The documents of an outcome. */
export function unpacked(bytes: Uint8Array): readonly Document[] {
  return (deserialize(bytes) as unknown[]).map(one => unboxed(one) as Document)
}

function unboxed(value: unknown): Value {
  if (types.isNumberObject(value)) return new Double(Number(value))
  if (Array.isArray(value)) return value.map(unboxed)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value as Value
  return mapFields(value as Record<string, unknown>, unboxed)
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  // The stack, a string or an array went beyond what JavaScript has: the pipeline asked for too much.
  if (error instanceof RangeError) {
    return new Problem('too_large', 'The pipeline makes a value that is too large or nested too deeply')
  }
  throw error
}
