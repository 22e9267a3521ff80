import { createInterface } from 'node:readline'
import { Problem } from '../../base/problem.js'
import { readDocument, type Shape } from '../../pipeline/index.js'
import { nameOf, unreadable } from '../unreadable.js'
import { openInput } from './read-input.js'

/**
 * The documents of a file, one on each line; empty lines are passed over. What a line says wrongly is said with its
 * number.
 * @throws Problem
 */
export async function readDocuments(file: string, schema: Shape | undefined): Promise<readonly object[]> {
  const documents: object[] = []
  const input = openInput(file)
  const failed = new Promise<never>((_, reject) => {
    input.once('error', (error: unknown) => reject(unreadable(file, error)))
  })
  const lines = createInterface({ input, crlfDelay: Infinity })
  const reading = async () => {
    let number = 0
    for await (const line of lines) {
      number += 1
      if (line.trim() === '') continue
      const where = `${nameOf(file)}, line ${number}`
      documents.push(readLine(number === 1 ? line.replace(/^\uFEFF/, '') : line, schema, where))
    }
  }
  try {
    await Promise.race([reading(), failed])
    return documents
  } finally {
    lines.close()
  }
}

function readLine(line: string, schema: Shape | undefined, where: string): object {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch (error) {
    throw new Problem('invalid_input', `${where} is not JSON: ${(error as Error).message}`)
  }
  try {
    return readDocument(json, schema, 'document')
  } catch (error) {
    if (error instanceof Problem) throw new Problem('invalid_input', `${where}: ${error.message}`)
    throw error
  }
}
