import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The longest that one turn of the event loop may take of the main thread's processor time, milliseconds. */
export const MOST_TURN_MS = 100

const preload = fileURLToPath(new URL('./turn-meter.cjs', import.meta.url))

/** Where the meter can measure. */
export const canMeasureTurns = process.platform === 'linux'

/** Long turns of a process's event loop. */
export class HeldLoop {
  readonly #file: string
  #read = 0

  /** @param file in which the process notes them; it need not be there */
  constructor(file: string) {
    this.#file = file
  }

  /** What the process is started with. */
  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--require=${preload}`, TURN_METER_FILE: this.#file }
  }

  /** The turns that were long since they were last asked for, in milliseconds of processor time. */
  take(): readonly number[] {
    const lines = this.#lines()
    const fresh = lines.slice(this.#read)
    this.#read = lines.length
    return fresh.map(Number)
  }

  #lines(): readonly string[] {
    try {
      return readFileSync(this.#file, 'utf8').split('\n').slice(0, -1)
    } catch {
      return []
    }
  }
}
