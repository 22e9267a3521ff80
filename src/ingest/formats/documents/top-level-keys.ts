/**
 * The field names of the first object of a JSON text, as far as the text goes: it may be cut anywhere. The object may
 * stand in an array. What is not JSON gives the names met before the fault.
 */
export function topLevelKeys(head: string): ReadonlySet<string> {
  const keys = new Set<string>()
  const start = /^\s*\[?\s*\{/.exec(head)?.[0].length
  if (start === undefined) return keys
  let depth = 1
  let at = start
  while (at < head.length && depth > 0) {
    const character = head[at]
    if (character === '"') {
      const end = endOfString(head, at)
      if (depth === 1 && /^\s*:/.test(head.slice(end, end + 20))) keys.add(head.slice(at + 1, end - 1))
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
