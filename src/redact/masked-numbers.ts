import { runsOf } from '../base/runs-of.js'
import { digitRuns } from './digit-runs.js'
import type { MaskedText } from './mask-text.js'
import type { MaskKind } from './mask.js'

/** Digits by which a part of a masked number is recognised: fewer may be anything. */
export const LEAST_PART = 4

interface MaskedNumber {
  readonly digits: string
  readonly kind: MaskKind
}

/** The numbers that were masked in the turns of a call, found by any part of them: a call may have thousands, and as many quotes. */
export class MaskedNumbers {
  /** In the order of the turns, by each run of so many digits. */
  readonly #byRun = new Map<string, MaskedNumber[]>()

  constructor(turns: readonly MaskedText[]) {
    for (const { source, spans } of turns) {
      for (const { start, end, kind } of spans) {
        for (const { digits } of digitRuns(source.slice(start, end), LEAST_PART)) this.#add({ digits, kind })
      }
    }
  }

  #add(number: MaskedNumber): void {
    for (const run of new Set(runsOf(number.digits, LEAST_PART))) {
      const sharing = this.#byRun.get(run) ?? []
      this.#byRun.set(run, sharing)
      sharing.push(number)
    }
  }

  /** What the first number is of which these digits are a part; undefined when they are of none. */
  kindOf(digits: string): MaskKind | undefined {
    return this.#byRun.get(digits.slice(0, LEAST_PART))?.find(number => number.digits.includes(digits))?.kind
  }
}
