import { open } from 'node:fs/promises'
import { visibleText } from '../../base/text.js'
import type { DocumentReader } from './document-reader.js'
import { type DocumentText, section } from './document-sections.js'
import type { KnowledgeFile } from './knowledge-files.js'
import type { OpenFile } from '../sources.js'

/** Reads a file as text in sections. What no reader can see is taken out, as in calls. */
export async function readDocument(
  file: KnowledgeFile,
  reader: DocumentReader,
  openFile: OpenFile = path => open(path),
): Promise<DocumentText> {
  const bytes = await bytesOf(file.path, openFile)
  const { title, sections } = await textOf(file, bytes, reader)
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

async function textOf({ format }: KnowledgeFile, bytes: Buffer, reader: DocumentReader): Promise<DocumentText> {
  if (format === 'pdf') return await reader.read({ format, bytes: new Uint8Array(bytes) })
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  if (format === 'text') return { title: undefined, sections: section(undefined, text) }
  return await reader.read({ format, text })
}

const visible = (text: string) => visibleText(text).text
