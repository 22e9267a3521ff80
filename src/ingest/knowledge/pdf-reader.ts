import { fileURLToPath } from 'node:url'
import type { Piscina } from 'piscina'
import { workerThreads } from '../../base/worker-threads.js'
import { type DocumentText, section } from './document-sections.js'
import type { PdfText } from './read-pdf.js'

/** Heap of the worker, MiB, and the milliseconds that one file may take: a PDF is a program of sorts. */
const HEAP = 512
const TIME_MS = 30_000

/** Beside this file when compiled. Run from source, under a test runner, the compiled worker is in dist/. */
const WORKER = import.meta.url.endsWith('.ts') ? '../../../dist/ingest/knowledge/read-pdf.js' : './read-pdf.js'

/** Reads PDFs in a thread of its own, which is ended when a file takes too much. */
export class PdfReader {
  readonly #timeMs: number
  #pool: Piscina<Uint8Array, PdfText> | undefined

  constructor(timeMs = TIME_MS) {
    this.#timeMs = timeMs
  }

  /** Rejects when the file is no PDF, needs a password, or takes more time or memory than it may. */
  async read(bytes: Uint8Array): Promise<DocumentText> {
    this.#pool ??= workerThreads<Uint8Array, PdfText>({
      filename: fileURLToPath(new URL(WORKER, import.meta.url)),
      name: 'readPdf',
      minThreads: 0,
      maxThreads: 1,
      resourceLimits: { maxOldGenerationSizeMb: HEAP },
    })
    const { title, pages } = await this.#pool.run(bytes, { signal: AbortSignal.timeout(this.#timeMs) })
    return { title, sections: pages.flatMap((page, index) => section(`Page ${index + 1}`, page)) }
  }

  async close(): Promise<void> {
    await this.#pool?.destroy()
  }
}
