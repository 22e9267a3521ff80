import { basename, extname } from 'node:path'
import { Overrun } from '../../base/overrun.js'
import { visibleText } from '../../base/text.js'
import { type KnowledgeDraft, MOST_DOCUMENT_BYTES } from '../../store/records/knowledge-document.js'
import { DocumentReader } from './document-reader.js'
import { type KnowledgeFile, knowledgeFiles } from './knowledge-files.js'
import type { OpenFile } from '../sources.js'
import { readDocument } from './read-document.js'

/** Most bytes of one file. */
const MOST_BYTES = 32 * 1024 * 1024

export interface KnowledgeImport {
  /** Files and folders. */
  readonly inputs: readonly string[]
  /** Keeps a document. Gives back whether it replaced one. */
  readonly put: (document: KnowledgeDraft) => Promise<boolean>
  /** Where people find the files: a document's address is this with its name behind it. */
  readonly urlBase?: URL
  /** How files are opened, where their names are not to be trusted; by their path by default. */
  readonly openFile?: OpenFile
  /** Ends the import between two files; what was imported so far stays. */
  readonly signal?: AbortSignal
  /** Called after each file. */
  readonly onProgress?: (done: number, total: number) => void
}

export interface KnowledgeReport {
  readonly imported: number
  /** Of these, the ones that replaced an earlier import. */
  readonly replaced: number
  readonly sections: number
  readonly failed: readonly { readonly name: string; readonly reason: string }[]
}

/** Reads files into a project's knowledge base. One that can't be read never keeps the others out. */
export async function importKnowledge(options: KnowledgeImport): Promise<KnowledgeReport> {
  const files = await knowledgeFiles(options.inputs)
  const reader = new DocumentReader()
  const failed: { name: string; reason: string }[] = []
  const counts = { imported: 0, replaced: 0, sections: 0 }
  try {
    for (const [index, file] of files.entries()) {
      options.signal?.throwIfAborted()
      // oxlint-disable-next-line no-await-in-loop -- one document in memory at a time
      const document = await documentOf(file, options, reader)
      if (typeof document === 'string') failed.push({ name: file.name, reason: document })
      else {
        // oxlint-disable-next-line no-await-in-loop
        counts.replaced += (await options.put(document)) ? 1 : 0
        counts.imported += 1
        counts.sections += document.sections.length
      }
      options.onProgress?.(index + 1, files.length)
    }
  } finally {
    await reader.close()
  }
  return { ...counts, failed }
}

/** The document of a file, or why there is none. */
async function documentOf(
  file: KnowledgeFile,
  { urlBase, openFile }: KnowledgeImport,
  reader: DocumentReader,
): Promise<KnowledgeDraft | string> {
  if (file.bytes > MOST_BYTES) return `has ${file.bytes} bytes, more than ${MOST_BYTES}`
  try {
    const { title, sections } = await readDocument(file, reader, openFile)
    if (sections.length === 0) return 'holds no text'
    const name = visibleText(file.name).text
    const document = {
      name,
      title: title === undefined || title === '' ? basename(name, extname(name)) : title,
      ...(urlBase === undefined ? {} : { url: urlOf(urlBase, name) }),
      sections,
    }
    const bytes = Buffer.byteLength(JSON.stringify(document))
    if (bytes <= MOST_DOCUMENT_BYTES) return document
    return `holds ${bytes} bytes of text, more than the ${MOST_DOCUMENT_BYTES} of a document: split it`
  } catch (error) {
    const { name, code } = error as { readonly name?: string; readonly code?: string }
    if (name === 'AbortError') return 'takes too long to read'
    if (error instanceof Overrun) return 'needs too much memory to read'
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'is not UTF-8 text'
    return name === 'PasswordException' ? 'needs a password' : 'could not be read'
  }
}

function urlOf(base: URL, name: string): string {
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/$/, '')}/${name.split('/').map(encodeURIComponent).join('/')}`
  return url.href
}
