import { hundredthsJson } from './json-text.js'
import { Random } from './random.js'

/** How many of the extra signals a call names. */
const FEWEST_SIGNALS = 8
const MOST_SIGNALS = 16
/** Keeps this stream of chance apart from the one that makes the calls. */
const OTHER_STREAM = 0x5eed

/**
 * Signals beside the built-in ones, as an installation with a long catalog of its own has them: common ones and rare
 * ones. They are drawn from a stream of their own, so that the rest of a call is the same with and without them.
 */
export class ExtraSignals {
  readonly #keys: readonly string[]
  readonly #random: Random

  /** @param count how many there are; 0 for none */
  constructor(count: number, seed: number) {
    this.#keys = Array.from({ length: count }, (_, index) => `sig.extra_${String(index + 1).padStart(3, '0')}`)
    this.#random = new Random(seed ^ OTHER_STREAM)
  }

  /** The next call's, as the entries of a JSON list. */
  next(): readonly string[] {
    if (this.#keys.length === 0) return []
    const wanted = Math.min(this.#random.between(FEWEST_SIGNALS, MOST_SIGNALS), this.#keys.length)
    const chosen = new Set<string>()
    // The square makes the first ones common and the last ones rare.
    for (let draws = 0; chosen.size < wanted && draws < MOST_SIGNALS * 4; draws += 1) {
      const key = this.#keys[Math.floor(this.#random.unit() ** 2 * this.#keys.length)]
      if (key !== undefined) chosen.add(key)
    }
    return Array.from(chosen, key => this.#entry(key))
  }

  #entry(key: string): string {
    const draw = this.#random.unit()
    const state = draw < 0.55 ? 'present' : draw < 0.9 ? 'absent' : 'unclear'
    const strength = state === 'present' ? `,"strength":${hundredthsJson(this.#random.between(60, 100))}` : ''
    const confidence = hundredthsJson(this.#random.between(75, 99))
    return `{"key":"${key}","state":"${state}"${strength},"confidence":${confidence}}`
  }
}
