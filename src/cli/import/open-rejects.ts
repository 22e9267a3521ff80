import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { Problem } from '../../base/problem.js'

/** Opens the file that takes every reject, before anything is imported. @param flags a: behind those of an earlier run */
export async function openRejects(path: string, flags: 'w' | 'a'): Promise<WriteStream> {
  const stream = createWriteStream(path, { mode: 0o600, flags })
  try {
    await once(stream, 'open')
    return stream
  } catch (error) {
    const problem = new Problem('not_found', `The file ${path} for rejects can't be written`)
    problem.cause = error
    throw problem
  }
}
