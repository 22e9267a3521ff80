import { fork } from 'node:child_process'
import { entryFile } from '../base/entry-file.js'
import { type ChildOrder, type ChildResult, childAnswer } from './child-order.js'

/** A failure of the copying process; `code` is the system's, such as ENOSPC. */
export class CopyFailed extends Error {
  override readonly name = 'CopyFailed'
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

export interface Running {
  /** Ends the process; this rejects with the signal's reason then. */
  readonly signal: AbortSignal
  /** Hears how many bytes are done. */
  readonly onBytes: (bytes: number) => void
}

/** Has files copied, or read, by a process of its own. @throws CopyFailed */
export function runChild(order: ChildOrder, { signal, onBytes }: Running): Promise<ChildResult> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const child = fork(entryFile(import.meta.url, './copy-in-child.js'), {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    let result: ChildResult | undefined
    let failure: Error = new CopyFailed('The copying process ended before it was done')
    const stop = (): void => {
      failure = signal.reason instanceof Error ? signal.reason : new CopyFailed('The copying was ended')
      child.kill('SIGKILL')
    }
    signal.addEventListener('abort', stop, { once: true })
    child.once('error', reject)
    child.on('message', message => {
      const answer = childAnswer.parse(message)
      if ('ready' in answer) {
        child.send(order)
        return
      }
      if ('copied' in answer) {
        onBytes(answer.copied)
        return
      }
      if ('failed' in answer) failure = new CopyFailed(answer.failed.message, answer.failed.code)
      else result = answer
      child.disconnect()
    })
    // Only when it is gone does it hold no file any more.
    child.once('exit', () => {
      signal.removeEventListener('abort', stop)
      if (result === undefined) reject(failure)
      else resolve(result)
    })
  })
}
