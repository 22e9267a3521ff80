import { z } from 'zod'
import { type Document, toPlain } from '../pipeline/index.js'

/** A date of a document as answers give it. */
export const answerDate = z.date().transform(date => date.toISOString())

/**
 * Reads what one of our own pipelines gave back, so that answers are built from checked types.
 * A mismatch is a mistake of ours and becomes an internal error.
 */
export function readDocuments<T>(schema: z.ZodType<T>, documents: readonly Document[]): readonly T[] {
  return documents.map(document => readDocument(schema, document))
}

/** The same of one. */
export const readDocument = <T>(schema: z.ZodType<T>, document: Document): T => schema.parse(toPlain(document))
