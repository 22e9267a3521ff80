/** The number of code points of a text. */
export function codePoints(text: string): number {
  let count = text.length
  for (let i = 0; i + 1 < text.length; i += 1) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count -= 1
      i += 1
    }
  }
  return count
}

/** The index in UTF-16 units at which a code point begins; the text's length for one behind its end. */
export function unitIndex(text: string, point: number): number {
  let unit = 0
  for (let i = 0; i < point && unit < text.length; i += 1) unit += text.codePointAt(unit)! > 0xffff ? 2 : 1
  return unit
}
