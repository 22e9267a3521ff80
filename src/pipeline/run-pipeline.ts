import { mapFields } from '../base/fields.js'
import { createContext, runInContext } from 'node:vm'
import { overTime, Problem } from '../base/problem.js'
import { evaluate } from './evaluate.js'
import { failedWhere } from './failed-where.js'
import { readDocument } from './read-document.js'
import { type PipelineLimits, defaultLimits } from './limits.js'
import { parsePipeline } from './parse.js'
import type { Shape } from './parse-context.js'
import { type Value, Double, isArray, isDocument } from './value.js'

/** Holds the work while it runs. Work does not wait, so there is one at a time. */
const room: { work: () => unknown } = createContext({ work: () => undefined }) as never

/**
 * Runs work that does not wait and ends it when its time is over, wherever it is then: the one way in JavaScript to end
 * a loop of one's own thread.
 * @throws Problem `deadline_exceeded`
 */
function withinTime<T>(limitMs: number, work: () => T): T {
  room.work = work
  try {
    return runInContext('work()', room, { timeout: Math.max(1, Math.ceil(limitMs)) }) as T
  } catch (error) {
    if (!isTimeout(error)) throw error
    throw overTime('pipeline', limitMs)
  } finally {
    room.work = () => undefined
  }
}

/** The error is one of the room's own realm: no Error of ours. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

/** A document of plain JavaScript: dates are `Date`, integers beyond 2^53 `bigint`. */
export interface PlainDocument {
  readonly [field: string]: unknown
}

export interface RunPipelineOptions {
  /** The instant of `$$NOW`; default now. */
  readonly now?: Date
  /**
   * Types of the documents' fields, such as `callSchema`. Dates may then be written as ISO 8601 texts, in the pipeline and
   * in the documents, and names of unknown fields are advised about. Without it nothing is made of anything.
   */
  readonly schema?: Shape
  /** Where they are to be others than the service's. */
  readonly limits?: Partial<PipelineLimits> & {
    /** Milliseconds the pipeline may take; default 10,000. */
    readonly deadlineMs?: number
  }
  /** Hears advice about the pipeline. */
  readonly onWarning?: (warning: string) => void
}

const DEADLINE_MS = 10_000

/**
 * Runs an aggregation pipeline over documents in memory, with the meaning and the guard of the service. The documents
 * are not changed. A field without a value is left out of the result, null is kept.
 *
 * @throws Refusal for a pipeline the guard does not let through, with its place; Problem `invalid_input` for a document
 *   that holds what no document can, `invalid_pipeline` for an error an expression raises, `deadline_exceeded`
 */
export async function runPipeline(
  pipeline: unknown,
  documents: Iterable<object>,
  options: RunPipelineOptions = {},
): Promise<PlainDocument[]> {
  const { now, schema, limits: { deadlineMs = DEADLINE_MS, ...limits } = {}, onWarning } = options
  // Asynchronous in its form, so that a caller need not change when the work moves to another thread.
  await Promise.resolve()
  const parsed = parsePipeline(pipeline, {
    limits: { ...defaultLimits, ...limits },
    ...(now === undefined ? {} : { now }),
    ...(schema === undefined ? {} : { shape: schema }),
  })
  for (const warning of parsed.warnings) onWarning?.(warning)
  const read = [...documents].map((document, i) => readDocument(document, schema, `documents[${i}]`))
  try {
    return withinTime(deadlineMs, () => evaluate(parsed, read).map(document => plain(document) as PlainDocument))
  } catch (error) {
    if (!(error instanceof RangeError)) throw failedWhere(error, pipeline)
    throw new Problem('too_large', 'The pipeline makes a value that is too large or nested too deeply')
  }
}

/** A value as plain JavaScript has it. */
function plain(value: Value): unknown {
  if (value instanceof Double) return value.value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (value instanceof Date) return new Date(value)
  if (isArray(value)) return value.map(plain)
  return isDocument(value) ? mapFields(value, plain) : value
}
