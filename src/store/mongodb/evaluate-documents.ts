import { compareValues, type Document } from '../../pipeline/index.js'
import { evaluateOver, type EvaluationTask, type RestOutcome } from '../evaluate-rest.js'
import type { CountedDay } from '../counted-parts.js'
import type { SummedBlock } from '../day-blocks.js'
import { type Counted, countsOf } from './counts/counted-calls.js'
import { blockCountsOf, dayCountsOf } from './counts/day-counts.js'
import { countsOfRows } from './counts/rows-of-days.js'
import { readBson, readCallBson } from './values.js'

/** The stages that the server does not run, and what it returned for them: documents of BSON, one behind the other. */
export interface DocumentsTask extends EvaluationTask {
  /** The documents are calls, and the stages are over the counts of them, and over rows that are counts of days. */
  readonly counted?: Counted & { readonly rows: readonly Uint8Array<ArrayBuffer>[] }
  /** The documents are calls of these days, and the stages are over what is kept of the days. */
  readonly days?: readonly CountedDay[]
  /** The documents are counts of what these blocks are the sum of, and the stages are over what is kept of the blocks. */
  readonly blocks?: readonly SummedBlock[]
  /** The documents are groups, which come in the order of their ids. */
  readonly groups?: boolean
}

/**
 * Runs the stages after the server's over its documents. The work of a worker; see RestPool.
 * @public the worker is found by its file, and this by its name
 */
export function evaluateDocuments(task: DocumentsTask): RestOutcome {
  const { counted, days, blocks, groups, chunks } = task
  return evaluateOver(task, () => {
    if (days !== undefined) return dayCountsOf(days, documentsIn(chunks, readBson))
    if (blocks !== undefined) return blockCountsOf(blocks, documentsIn(chunks, readBson))
    if (counted === undefined) {
      const documents = documentsIn(chunks, readCallBson)
      return groups === true
        ? documents.toSorted((a, b) => compareValues(a['_id'] ?? null, b['_id'] ?? null))
        : documents
    }
    return [
      ...countsOf(counted, documentsIn(chunks, readBson)),
      ...countsOfRows(counted.asked, documentsIn(counted.rows, readBson)),
    ]
  })
}

/** Each document of BSON begins with its length. */
function documentsIn(chunks: readonly Uint8Array[], read: (bytes: Uint8Array) => Document): Document[] {
  const documents: Document[] = []
  for (const chunk of chunks) {
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    for (let at = 0; at < chunk.length;) {
      const end = at + view.getInt32(at, true)
      documents.push(read(chunk.subarray(at, end)))
      at = end
    }
  }
  return documents
}
