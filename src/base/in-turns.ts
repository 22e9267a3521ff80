import { otherWork } from './other-work.js'

/** Elements of a list that are worked on before others get their turn: some milliseconds, of the turns of a call. */
const AT_ONCE = 500

/** What a list is made of, a part after the other, each in a turn of its own. */
async function* parts(list: readonly unknown[]): AsyncGenerator<readonly unknown[]> {
  for (let from = 0; from < list.length; from += AT_ONCE) {
    if (list.length > AT_ONCE) await otherWork()
    yield list.slice(from, from + AT_ONCE)
  }
}

/**
 * An object with each of its fields mapped; what is mapped to undefined is left out. A field that is a list is mapped by its
 * elements, so that a long one (a call has up to tens of thousands of turns) keeps nobody waiting.
 */
export async function mapInTurns(object: object, map: (value: unknown) => unknown): Promise<Record<string, unknown>> {
  const mapped: [string, unknown][] = []
  for (const [name, value] of Object.entries(object)) {
    if (!Array.isArray(value)) mapped.push([name, map(value)])
    else {
      const list: unknown[] = []
      for await (const part of parts(value)) for (const element of part) list.push(map(element))
      mapped.push([name, list])
    }
  }
  return Object.fromEntries(mapped.filter(([, value]) => value !== undefined))
}

/** The JSON text of an object, as `JSON.stringify` makes it, in turns where it holds long lists. */
export async function jsonInTurns(object: object): Promise<string> {
  const long = Object.values(object).some(value => Array.isArray(value) && value.length > AT_ONCE)
  if (!long) return JSON.stringify(object)
  const fields: string[] = []
  for (const [name, value] of Object.entries(object)) {
    if (!Array.isArray(value)) {
      const json = JSON.stringify(value) as string | undefined
      if (json !== undefined) fields.push(`${JSON.stringify(name)}:${json}`)
    } else {
      const elements: string[] = []
      for await (const part of parts(value)) elements.push(JSON.stringify(part).slice(1, -1))
      fields.push(`${JSON.stringify(name)}:[${elements.join(',')}]`)
    }
  }
  return `{${fields.join(',')}}`
}
