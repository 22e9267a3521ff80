/**
 * The field names of the first object of a JSON text, as far as the text goes: it may be cut anywhere. The object may
 * stand in an array. What is not JSON gives the names met before the fault.
 */
export function topLevelKeys(head: string): ReadonlySet<string> {
  const keys = new Set<string>()
  // Trimmed first: two runs of blanks in one expression take the square of their length.
  const text = head.trimStart()
  const start = /^\[?\s*\{/.exec(text)?.[0].length
  if (start === undefined) return keys
  let depth = 1
  let at = start
  while (at < text.length && depth > 0) {
    const character = text[at]
    if (character === '"') {
      const end = endOfString(text, at)
      if (depth === 1 && /^\s*:/.test(text.slice(end, end + 20))) keys.add(text.slice(at + 1, end - 1))
      at = end
      continue
    }
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    at += 1
  }
  return keys
}

/** The index after the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}
