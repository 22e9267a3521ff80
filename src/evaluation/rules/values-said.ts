import type { HeardTurn } from './heard-call.js'
import type { NumberWords } from './languages/number-words.js'
import { readNumber } from './numbers.js'
import { OfWords } from './of-words.js'
import type { Words } from './words.js'

/** A value somebody says: a number as its digits, part of a code, or one of the words that count. */
export interface ValueSaid {
  readonly value: string
  readonly from: number
  readonly to: number
}

const NOTHING: readonly ValueSaid[] = []

/** What counts as a value. */
export class Counting {
  readonly #numbers: NumberWords | undefined
  readonly #words: ReadonlySet<string>
  readonly #known = new OfWords<readonly ValueSaid[]>()

  /** @param numbers how numbers are said, where they count */
  constructor(numbers: NumberWords | undefined, words: readonly string[] = []) {
    this.#numbers = numbers
    this.#words = new Set(words)
  }

  /** The values of a turn. A lone "one" is none: it mostly stands for something else ("a new one"). */
  of({ said }: HeardTurn): readonly ValueSaid[] {
    return this.#known.of(said, words => this.#find(words))
  }

  #find({ words }: Words): readonly ValueSaid[] {
    const numbers = this.#numbers
    const counted = this.#words
    let values: ValueSaid[] | undefined
    for (let at = 0; at < words.length; at += 1) {
      const { text: value, form } = words[at]!
      if ((counted.size > 0 && counted.has(value)) || (numbers !== undefined && form.kind === 'code')) {
        values = added(values, { value, from: at, to: at + 1 })
        continue
      }
      if (numbers === undefined || (form.kind !== 'number' && !numbers.begins(words, at))) continue
      const read = readNumber(words, at, numbers)
      if (read === undefined) continue
      const lone = read.next === at + 1 && numbers.isLone(words, at)
      if (!lone) values = added(values, { value: read.digits, from: at, to: read.next })
      at = read.next - 1
    }
    return values ?? NOTHING
  }
}

function added(values: ValueSaid[] | undefined, one: ValueSaid): ValueSaid[] {
  if (values === undefined) return [one]
  values.push(one)
  return values
}

/** Digits from which on a part of a number stands for it: the last four of an account. */
export const PART = 3

/** Whether two values are the same, or one is a recognisable part of the other. */
export function sameValue(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= PART && /^\d+$/.test(short) && long.includes(short)
}
