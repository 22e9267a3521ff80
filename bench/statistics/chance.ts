import { Random } from '../../src/demo/random.js'

/** Values of the distributions that simulated calls follow. */
export class Chance {
  readonly #random: Random
  #spare: number | undefined

  constructor(seed: number) {
    this.#random = new Random(seed)
  }

  unit(): number {
    return this.#random.unit()
  }

  within(low: number, high: number): number {
    return low + (high - low) * this.#random.unit()
  }

  /** Standard normal, by Marsaglia's polar method. */
  normal(): number {
    if (this.#spare !== undefined) {
      const spare = this.#spare
      this.#spare = undefined
      return spare
    }
    for (;;) {
      const u = 2 * this.#random.unit() - 1
      const v = 2 * this.#random.unit() - 1
      const s = u * u + v * v
      if (s >= 1 || s === 0) continue
      const factor = Math.sqrt((-2 * Math.log(s)) / s)
      this.#spare = v * factor
      return u * factor
    }
  }

  /** How many of n succeed: by inversion where few do, else by transformed rejection (BTRS; Hörmann, 1993). */
  binomial(n: number, p: number): number {
    if (p > 0.5) return n - this.binomial(n, 1 - p)
    if (n === 0 || p <= 0) return 0
    return n * p < 10 ? this.#inverted(n, p) : this.#rejected(n, p)
  }

  #inverted(n: number, p: number): number {
    const odds = p / (1 - p)
    let probability = (1 - p) ** n
    let left = this.#random.unit()
    let k = 0
    while (left > probability && k < n) {
      left -= probability
      probability *= (odds * (n - k)) / (k + 1)
      k += 1
    }
    return k
  }

  #rejected(n: number, p: number): number {
    const spread = Math.sqrt(n * p * (1 - p))
    const b = 1.15 + 2.53 * spread
    const a = -0.0873 + 0.0248 * b + 0.01 * p
    const c = n * p + 0.5
    const v = 0.92 - 4.2 / b
    const alpha = (2.83 + 5.1 / b) * spread
    const odds = Math.log(p / (1 - p))
    const mode = Math.floor((n + 1) * p)
    const h = logFactorial(mode) + logFactorial(n - mode)
    for (;;) {
      const u = this.#random.unit() - 0.5
      const w = this.#random.unit()
      const us = 0.5 - Math.abs(u)
      const k = Math.floor(((2 * a) / us + b) * u + c)
      if (k < 0 || k > n) continue
      if (us >= 0.07 && w <= v) return k
      const height = Math.log((w * alpha) / (a / (us * us) + b))
      if (height <= h - logFactorial(k) - logFactorial(n - k) + (k - mode) * odds) return k
    }
  }
}

const LOGS: number[] = [0]

function logFactorial(k: number): number {
  for (let at = LOGS.length; at <= k; at += 1) LOGS.push(LOGS[at - 1]! + Math.log(at))
  return LOGS[k]!
}
