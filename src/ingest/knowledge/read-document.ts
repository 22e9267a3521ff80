import { open } from 'node:fs/promises'
import { marked } from 'marked'
import { visibleText } from '../../base/text.js'
import { type DocumentText, section } from './document-sections.js'
import type { KnowledgeFile } from './knowledge-files.js'
import type { OpenFile } from '../sources.js'
import type { PdfReader } from './pdf-reader.js'
import { readHtml } from './read-html.js'

/** Reads a file as text in sections. What no reader can see is taken out, as in calls. */
export async function readDocument(
  file: KnowledgeFile,
  pdfs: PdfReader,
  openFile: OpenFile = path => open(path),
): Promise<DocumentText> {
  const bytes = await bytesOf(file.path, openFile)
  const { title, sections } = await textOf(file, bytes, pdfs)
  return {
    title: title === undefined ? undefined : visible(title),
    sections: sections.flatMap(one => section(one.title && visible(one.title), visible(one.text))),
  }
}

async function bytesOf(path: string, openFile: OpenFile): Promise<Buffer> {
  const opened = await openFile(path)
  try {
    return await opened.readFile()
  } finally {
    await opened.close()
  }
}

async function textOf({ format }: KnowledgeFile, bytes: Buffer, pdfs: PdfReader): Promise<DocumentText> {
  if (format === 'pdf') return await pdfs.read(new Uint8Array(bytes))
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  if (format === 'text') return { title: undefined, sections: section(undefined, text) }
  // Markdown goes by way of HTML, which it may hold anyway.
  return readHtml(format === 'markdown' ? await marked.parse(text) : text)
}

const visible = (text: string) => visibleText(text).text
