import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { Problem } from '../../base/problem.js'

/** `-` is standard input. */
export function openInput(file: string): NodeJS.ReadableStream {
  return file === '-' ? process.stdin : createReadStream(file)
}

/** What a file is called in errors. */
export const nameOf = (file: string) => (file === '-' ? 'standard input' : file)

/** A failure to read a file, for whoever named it. */
export function unreadable(file: string, error: unknown): Problem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a directory',
    EACCES: 'it is not yours to read',
  }
  const reason = reasons[String(code)] ?? (error instanceof Error ? error.message : String(error))
  return new Problem('invalid_input', `${nameOf(file)} can't be read: ${reason}`)
}

/** The JSON in a file. @throws Problem with the parser's place in the text */
export async function readJson(file: string): Promise<unknown> {
  let content: string
  try {
    content = await text(openInput(file))
  } catch (error) {
    throw unreadable(file, error)
  }
  try {
    return JSON.parse(content) as unknown
  } catch (error) {
    throw new Problem('invalid_input', `${nameOf(file)} is not JSON: ${(error as Error).message}`)
  }
}
