import type { NumberWord, NumberWords } from './languages/number-words.js'

/** Whether a word is one of a number: digits, or a number word ("oh" and "double" among digits are too). */
export function isNumberWord(word: string, { words, digits }: NumberWords): boolean {
  const first = word.charCodeAt(0)
  return first >= 0x30 && first <= 0x39 ? digits.test(word) : words.has(word)
}

const CODE = /^(?=.*\p{L}.*\p{L}|\d{2})[\p{L}\d]+$/u

/** Whether a word is part of a code that letters and digits make up, such as a postcode ("LS6") or a number plate. */
export function isCode(word: string, numbers: NumberWords): boolean {
  const begins = isDigit(word.charCodeAt(0))
  if (begins === isDigit(word.charCodeAt(word.length - 1))) return false
  return CODE.test(word) && !isNumberWord(word, numbers)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/**
 * Reads the number that begins at a word: an amount ("one hundred and thirty five" is 135) or digits said one by one
 * ("four oh two" is 402).
 *
 * @returns its digits as text and the place after it; undefined where no number begins
 */
export function readNumber(
  words: readonly NumberWord[],
  from: number,
  numbers: NumberWords,
): { digits: string; next: number } | undefined {
  let at = from
  let text = ''
  let part: number | undefined
  let sum = 0
  let amount = false
  /** What the last word may still be followed by: tens by a unit. */
  let room = 0
  const flush = (): void => {
    if (part !== undefined || amount) text += String(sum + (part ?? 0))
    part = undefined
    sum = 0
    amount = false
    room = 0
  }
  const goesOn = () => isNumberWord(words[at + 1]?.text ?? '', numbers)
  for (; at < words.length; at += 1) {
    const word = words[at]!.text
    const unit =
      numbers.units.get(word) ??
      (numbers.ordinals.has(word) && numbers.isOrdinal(words, at, at === from) ? numbers.ordinals.get(word) : undefined)
    const tens = numbers.tens.get(word)
    const hundreds = numbers.hundreds.get(word)
    const scale = numbers.scales.get(word)
    if (numbers.digits.test(word)) {
      flush()
      text += word.replaceAll(/\D/g, '')
    } else if (scale !== undefined && (part !== undefined || amount)) {
      if (scale === 100) part = (part ?? 1) * 100
      else {
        sum = (sum + (part ?? 0)) * scale
        part = undefined
      }
      amount = true
      room = scale
    } else if (hundreds !== undefined) {
      if (part !== undefined && room < 1_000) flush()
      part = (part ?? 0) + hundreds
      amount = true
      room = 100
    } else if (tens !== undefined) {
      if (part !== undefined && room < 100) flush()
      part = (part ?? 0) + tens
      room = 10
    } else if (unit !== undefined) {
      if ((part !== undefined || amount) && (room <= unit || room === 0)) flush()
      part = (part ?? 0) + unit
      room = 0
    } else if (numbers.noughts.has(word) && (text !== '' || part !== undefined) && goesOn()) {
      flush()
      text += '0'
    } else if (word === numbers.and.word && (amount || (numbers.and.afterTens && room === 10)) && goesOn()) {
      continue
    } else if (word === numbers.article && at === from && numbers.scales.get(words[at + 1]?.text ?? '') === 100) {
      part = 1
      room = 0
    } else if (scale !== undefined && at === from && numbers.article === undefined) {
      // Where no article is said before it, it stands for itself: "hundert".
      part = scale
      amount = true
      room = scale
    } else break
  }
  flush()
  return text === '' ? undefined : { digits: text, next: at }
}
