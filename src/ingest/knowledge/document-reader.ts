import type { Piscina } from 'piscina'
import { entryFile } from '../../base/entry-file.js'
import { workerThreads } from '../../base/worker-threads.js'
import type { DocumentText } from './document-sections.js'
import type { Formatted } from './read-formatted.js'

/**
 * Heap of the worker, MiB, and the milliseconds that one file may take: a PDF is a program of sorts, and elements or lists
 * within one another take the square of their number.
 */
const HEAP_MIB = 512
const TIME_MS = 30_000

/** Reads documents in a thread of its own, which is ended when one takes too much: a service has others to answer. */
export class DocumentReader {
  readonly #timeMs: number
  #pool: Piscina<Formatted, DocumentText> | undefined

  constructor(timeMs = TIME_MS) {
    this.#timeMs = timeMs
  }

  /** Rejects when the document is not of its format, needs a password, or takes more time or memory than it may. */
  async read(document: Formatted): Promise<DocumentText> {
    this.#pool ??= workerThreads<Formatted, DocumentText>({
      filename: entryFile(import.meta.url, './read-formatted.js'),
      name: 'readFormatted',
      minThreads: 0,
      maxThreads: 1,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    })
    return await this.#pool.run(document, { signal: AbortSignal.timeout(this.#timeMs) })
  }

  async close(): Promise<void> {
    await this.#pool?.destroy()
  }
}
