import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

const END = '--- that was all ---'

/** A command-line client that is kept open: it is told statements and says lines. */
export class SpokenProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #sayEnd: string
  #lines: string[] = []
  #complaint = ''
  #done: ((lines: readonly string[]) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  /** @param sayEnd what has it say a given line, such as `\echo` */
  constructor(command: string, args: readonly string[], sayEnd: string) {
    this.#sayEnd = sayEnd
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    createInterface({ input: this.#child.stdout }).on('line', line => {
      if (line !== END) this.#lines.push(line)
      else this.#done?.(this.#lines)
    })
    this.#child.stderr.on('data', (text: Buffer) => (this.#complaint += String(text)))
    this.#child.once('error', error => this.#failed?.(error))
    this.#child.once('close', () => this.#failed?.(new Error(`${command} ended: ${this.#complaint}`)))
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** What it says to a text, line by line. */
  async tell(text: string): Promise<readonly string[]> {
    this.#lines = []
    this.#complaint = ''
    const lines = await new Promise<readonly string[]>((resolve, reject) => {
      this.#done = resolve
      this.#failed = reject
      this.#child.stdin.write(`${text}\n${this.#sayEnd} '${END}'\n`)
    })
    if (this.#complaint !== '') throw new Error(this.#complaint)
    return lines
  }

  async end(): Promise<void> {
    this.#failed = undefined
    this.#child.stdin.end()
    await once(this.#child, 'close')
  }
}
