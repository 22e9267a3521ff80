import type { HeardTurn } from './heard-call.js'
import type { NumberWords } from './languages/number-words.js'
import { readNumber } from './numbers.js'

/** A value somebody says: a number as its digits, part of a code, or one of the words that count. */
export interface ValueSaid {
  readonly value: string
  readonly from: number
  readonly to: number
}

/** What counts as a value. */
export interface Counting {
  /** How numbers are said, where they count. */
  readonly numbers: NumberWords | undefined
  readonly words: ReadonlySet<string>
}

/** The values of a turn. A lone "one" is none: it mostly stands for something else ("a new one"). */
export function valuesSaid(
  { said: { words } }: HeardTurn,
  { numbers, words: counted }: Counting,
): readonly ValueSaid[] {
  const values: ValueSaid[] = []
  for (let at = 0; at < words.length; at += 1) {
    const { text: word, form } = words[at]!
    if (counted.size > 0 && counted.has(word)) {
      values.push({ value: word, from: at, to: at + 1 })
      continue
    }
    if (numbers === undefined) continue
    if (form.kind === 'code') {
      values.push({ value: word, from: at, to: at + 1 })
      continue
    }
    if (form.kind !== 'number' && !numbers.begins(words, at)) continue
    const read = readNumber(words, at, numbers)
    if (read === undefined) continue
    const lone = read.next === at + 1 && numbers.isLone(words, at)
    if (!lone) values.push({ value: read.digits, from: at, to: read.next })
    at = read.next - 1
  }
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
