import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { Problem } from '../../base/problem.js'
import { nameOf, unreadable } from '../unreadable.js'

/** `-` is standard input. */
export function openInput(file: string): NodeJS.ReadableStream {
  return file === '-' ? process.stdin : createReadStream(file)
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
