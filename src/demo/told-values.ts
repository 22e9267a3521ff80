import { valuesIn } from './fill-in.js'
import { phrases } from './phrases.js'

/** Numbers, days and kinds of accounts are details that can be read back; names are not. Each has a bit. */
const DETAILS = Object.entries(phrases.readBackValues).map(([name, phrase], place) => ({
  name,
  phrase,
  bit: 1 << place,
}))
/** How many make it a read-back. */
const VALUES_OF_A_READBACK = 2
/** Most that one sentence reads back. */
const MOST_VALUES = 4

const known = new Map<string, number>()

/** The details a phrase tells. A set for each call would cost more than the call. */
function detailsIn(phrase: string): number {
  let bits = known.get(phrase)
  if (bits === undefined) {
    bits = 0
    for (const { name, bit } of DETAILS) if (valuesIn(phrase).some(one => one === name)) bits |= bit
    known.set(phrase, bits)
  }
  return bits
}

/** Whether there are enough of them. */
function areEnough(bits: number): boolean {
  let left = bits
  for (let count = 1; count < VALUES_OF_A_READBACK; count += 1) left &= left - 1
  return left !== 0
}

/** The details a customer told, and those that the agent repeated afterwards. */
export class ToldValues {
  #told = 0
  #repeated = 0

  /** The customer says a phrase. */
  tells(phrase: string): void {
    this.#told |= detailsIn(phrase)
  }

  /** The agent says a phrase. */
  repeats(phrase: string): void {
    this.#repeated |= detailsIn(phrase) & this.#told
  }

  /** There are details to be read back. */
  get enough(): boolean {
    return areEnough(this.#told)
  }

  get readBack(): boolean {
    return areEnough(this.#repeated)
  }

  /** Whether a phrase reads back details, all of which the customer told. */
  fits(phrase: string): boolean {
    const details = detailsIn(phrase)
    return areEnough(details) && (details & ~this.#told) === 0
  }

  /** What the customer told, as it is read back. */
  get list(): string {
    const told = DETAILS.filter(({ bit }) => (this.#told & bit) !== 0)
    return told
      .slice(0, MOST_VALUES)
      .map(({ phrase }) => phrase)
      .join(', ')
  }
}
