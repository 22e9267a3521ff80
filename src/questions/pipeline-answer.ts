import { mapFields } from '../base/fields.js'
import { Problem } from '../base/problem.js'
import { type Document, Double, type Value, isArray, isDocument } from '../pipeline/index.js'

/**
 * A value as answers carry it: dates as ISO strings, integers beyond 2^53 as strings, NaN and infinities in extended
 * JSON. Nulls are kept.
 */
export function answerValue(value: Value): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Double) return value.value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`
  if (typeof value === 'number' && !Number.isFinite(value)) return { $numberDouble: String(value) }
  if (isArray(value)) return value.map(answerValue)
  if (isDocument(value)) return mapFields(value, answerValue)
  return value
}

/**
 * As many of the documents as fit into so many bytes of JSON, as answers carry them.
 * @param most bytes that the answer may have
 * @param beside bytes that it has without any document
 * @throws Problem when the first one alone does not fit
 */
export function fittingDocuments(documents: readonly Document[], most: number, beside: number): readonly object[] {
  const kept: object[] = []
  let bytes = beside
  for (const document of documents) {
    const json = answerValue(document) as object
    // A comma parts each from the one before.
    bytes += Buffer.byteLength(JSON.stringify(json)) + 1
    if (bytes > most) break
    kept.push(json)
  }
  if (kept.length === 0 && documents.length > 0) {
    throw new Problem(
      'too_large',
      `The first document does not fit into max_bytes (${most}); keep fewer of its fields with $project, fewer elements of its arrays with $slice, or raise max_bytes (1,048,576 at most)`,
    )
  }
  return kept
}
