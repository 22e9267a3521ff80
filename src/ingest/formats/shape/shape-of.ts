/**
 * Which fields the first document of a JSON text has, as far as the text goes: paths such as `messages[].role`, each with
 * the first plain value met there. Of an array at the top the elements are the documents, and `[]` says so.
 */
export type Shape = ReadonlyMap<string, string | undefined>

/** Fields further inside are not looked at. */
const MOST_DEPTH = 7
/** Most paths told of a text: no source has as many, and a hostile one may have any number. */
const MOST_PATHS = 2_000
/** Longest name of a field, and longest value, that is told, UTF-16 units. */
const MOST_TEXT = 100

interface Level {
  /** Path of what stands in it; undefined too deep to be told. */
  readonly path: string | undefined
  readonly isArray: boolean
}

/**
 * @param head the beginning of a text, which may be cut anywhere. What is not JSON gives the paths met before the fault
 */
export function shapeOf(head: string): Shape {
  const found = new Map<string, string | undefined>()
  const levels: Level[] = []
  /** Path of the value that comes next. */
  let next: string | undefined = ''
  let expectsKey = false
  const tell = (path: string | undefined, value?: string): void => {
    if (path === undefined || path === '') return
    if (found.has(path)) {
      if (value !== undefined && found.get(path) === undefined) found.set(path, value)
    } else if (found.size < MOST_PATHS) found.set(path, value)
  }
  let at = 0
  while (at < head.length) {
    const character = head[at]
    switch (character) {
      case '"': {
        const end = endOfString(head, at)
        if (expectsKey) next = keyPath(levels, head, at + 1, end - 1)
        tell(next, expectsKey || end - at > MOST_TEXT ? undefined : head.slice(at + 1, end - 1))
        at = end
        continue
      }
      case '{':
      case '[': {
        const isArray = character === '['
        const isWhole = levels.length === 0
        if (isArray && isWhole) tell('[]')
        const path: string | undefined = isArray && !isWhole && next !== undefined ? `${next}[]` : next
        if (isArray && !isWhole) tell(path)
        levels.push({ path: levels.length < MOST_DEPTH ? path : undefined, isArray })
        next = isArray ? levels.at(-1)?.path : undefined
        expectsKey = !isArray
        break
      }
      case '}':
      case ']':
        levels.pop()
        if (levels.length === 0) return found
        // Nothing stands behind a value but a comma; a path that went on from here would grow with each bracket.
        next = undefined
        expectsKey = false
        break
      case ':':
        expectsKey = false
        break
      case ',': {
        const level = levels.at(-1)
        expectsKey = level?.isArray === false
        if (level?.isArray === true) next = level.path
        break
      }
      default: {
        const plain = /^[\w.+-]{1,40}/.exec(head.slice(at, at + 40))?.[0]
        if (plain !== undefined) {
          if (levels.length > 0 && !expectsKey) tell(next, plain)
          at += plain.length
          continue
        }
      }
    }
    at += 1
  }
  return found
}

function keyPath(levels: readonly Level[], text: string, start: number, end: number): string | undefined {
  const parent = levels.at(-1)?.path
  if (parent === undefined || end - start > MOST_TEXT) return undefined
  const name = text.slice(start, end)
  return parent === '' ? name : `${parent}.${name}`
}

/** The index after the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}
