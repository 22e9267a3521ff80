import { marked } from 'marked'
import { type DocumentText, section } from './document-sections.js'
import { readHtml } from './read-html.js'
import { readPdf } from './read-pdf.js'

/** A document whose format has to be understood. */
export type Formatted =
  | { readonly format: 'pdf'; readonly bytes: Uint8Array }
  | { readonly format: 'html' | 'markdown'; readonly text: string }

/**
 * A document as text in sections. Runs in a worker; see DocumentReader.
 * @public the worker is found by its file, and this by its name
 */
export async function readFormatted(document: Formatted): Promise<DocumentText> {
  if (document.format === 'pdf') {
    const { title, pages } = await readPdf(document.bytes)
    return { title, sections: pages.flatMap((page, index) => section(`Page ${index + 1}`, page)) }
  }
  const { format, text } = document
  // Markdown goes by way of HTML, which it may hold anyway.
  return readHtml(format === 'markdown' ? await marked.parse(text) : text)
}
