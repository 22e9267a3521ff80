import type { Document } from '../../pipeline/index.js'
import { evaluateOver, type EvaluationTask, type RestOutcome } from '../evaluate-rest.js'
import { type Counted, countsOf } from './counted-calls.js'
import { readBson, readCallBson } from './values.js'

/** The stages that the server does not run, and what it returned for them: documents of BSON, one behind the other. */
export interface DocumentsTask extends EvaluationTask {
  /** The documents are calls, and the stages are over the counts of them. */
  readonly counted?: Counted
}

/**
 * Runs the stages after the server's over its documents. The work of a worker; see RestPool.
 * @public the worker is found by its file, and this by its name
 */
export function evaluateDocuments(task: DocumentsTask): RestOutcome {
  const { counted, chunks } = task
  return evaluateOver(task, () => {
    if (counted === undefined) return chunks.flatMap(chunk => documentsIn(chunk, readCallBson))
    return countsOf(
      counted,
      chunks.flatMap(chunk => documentsIn(chunk, readBson)),
    )
  })
}

/** Each document of BSON begins with its length. */
function documentsIn(chunk: Uint8Array, read: (bytes: Uint8Array) => Document): Document[] {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  const documents: Document[] = []
  for (let at = 0; at < chunk.length;) {
    const end = at + view.getInt32(at, true)
    documents.push(read(chunk.subarray(at, end)))
    at = end
  }
  return documents
}
