import { putField } from './fields.js'
import { otherWork } from './other-work.js'

/** Elements of a list that are worked on before others get their turn: some milliseconds, of the turns of a call. */
const AT_ONCE = 500

/** What a list is made of, a part after the other, each in a turn of its own. */
async function* parts<T>(list: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < list.length; from += AT_ONCE) {
    if (list.length > AT_ONCE) await otherWork()
    yield list.slice(from, from + AT_ONCE)
  }
}

/** A list mapped, a part after the other: thousands of elements keep nobody waiting. */
export async function listInTurns<T, R>(list: readonly T[], map: (element: T) => R): Promise<readonly R[]> {
  const mapped: R[] = []
  for await (const part of parts(list)) for (const element of part) mapped.push(map(element))
  return mapped
}

/**
 * An object with each of its fields mapped; what is mapped to undefined is left out. A field that is a list is mapped by its
 * elements, so that a long one (a call has up to tens of thousands of turns) keeps nobody waiting.
 */
export async function mapInTurns(object: object, map: (value: unknown) => unknown): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    const mapped = Array.isArray(value) ? await listInTurns(value, map) : map(value)
    if (mapped !== undefined) putField(all, name, mapped)
  }
  return all
}

/**
 * The JSON text of an object, as `JSON.stringify` makes it, piece by piece: each long list in pieces that have a turn each, all
 * else in one.
 */
export async function* jsonPieces(object: object): AsyncGenerator<string> {
  const long = Object.values(object).some(value => Array.isArray(value) && value.length > AT_ONCE)
  if (!long) {
    yield JSON.stringify(object)
    return
  }
  let before = '{'
  for (const [name, value] of Object.entries(object)) {
    if (Array.isArray(value)) {
      yield `${before}${JSON.stringify(name)}:[`
      let comma = ''
      for await (const part of parts(value)) {
        yield comma + JSON.stringify(part).slice(1, -1)
        comma = ','
      }
      yield ']'
      before = ','
    } else {
      const json = JSON.stringify(value) as string | undefined
      if (json === undefined) continue
      yield `${before}${JSON.stringify(name)}:${json}`
      before = ','
    }
  }
  yield '}'
}

/** The same as one text. */
export async function jsonInTurns(object: object): Promise<string> {
  let json = ''
  for await (const piece of jsonPieces(object)) json += piece
  return json
}
