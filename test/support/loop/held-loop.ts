import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { unknownFields } from '../../../bench/attacks/hostile-input.js'
import { processorMs } from '../processor-time.js'

/** The longest that one turn of the event loop may take of the main thread's processor time, milliseconds. */
export const MOST_TURN_MS = 100

/** What the yardstick takes on the machine of docs/benchmarks.md while nothing else runs, milliseconds of processor time. */
const YARDSTICK_MS = 60

const yardstickText = unknownFields(400_000)

/**
 * Whether a turn was too long, in milliseconds of this machine's processor as it is now: a slower one takes longer for the same,
 * and so does one whose caches or cores others share. The bar is never lower than on the machine where it was set.
 */
export function isTooLong(turnMs: number): boolean {
  if (turnMs <= MOST_TURN_MS) return false
  const yardstick = () => {
    for (let i = 0; i < 4; i += 1) JSON.stringify(JSON.parse(yardstickText))
  }
  const times = Array.from({ length: 5 }, () => processorMs(yardstick)).toSorted((a, b) => a - b)
  return turnMs > (MOST_TURN_MS * times[2]!) / YARDSTICK_MS
}

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
