const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b

/** Most values that a JSON body may hold: far above what any question or setting takes. */
export const MOST_JSON_VALUES = 50_000

/**
 * Whether a JSON text holds more than so many values, counted by what stands before each of them. A megabyte of brackets takes
 * a hundred times as long to be made values of as a megabyte of text, in the thread that answers everybody, and this
 * takes two milliseconds. What is no JSON is counted somehow.
 */
export function holdsMoreValues(text: Uint8Array, most = MOST_JSON_VALUES): boolean {
  let values = 1
  for (let i = 0; i < text.length; i += 1) {
    const byte = text[i]
    if (byte === QUOTE) {
      for (i += 1; i < text.length && text[i] !== QUOTE; i += 1) if (text[i] === BACKSLASH) i += 1
    } else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1
      if (values > most) return true
    }
  }
  return false
}
