import { objectOf, putField } from './fields.js'
import { otherWork } from './other-work.js'
import { textPieces } from './pieces-of.js'

/** Elements of a list that are worked on before others get their turn: some milliseconds, of the turns of a call. */
const AT_ONCE = 500

/** A list mapped, a part after the other, of a long one each in a turn of its own: thousands of elements keep nobody waiting. */
export async function listInTurns<T, R>(list: readonly T[], map: (element: T) => R): Promise<readonly R[]> {
  const mapped: R[] = []
  for (let from = 0; from < list.length; from += AT_ONCE) {
    if (list.length > AT_ONCE) await otherWork()
    for (const element of list.slice(from, from + AT_ONCE)) mapped.push(map(element))
  }
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

/** Characters of JSON that are made before others get their turn: a millisecond or two. */
const JSON_AT_ONCE = 64 * 1024
/** Characters that a value counts for, and a text beside its own: many small ones take as long as a long one. */
const VALUE_WEIGHT = 16

/** About as many characters as a value's JSON takes the time of; beyond `most` they are not counted on. */
function weightOf(value: unknown, most: number): number {
  if (typeof value === 'string') return VALUE_WEIGHT + value.length
  let weight = VALUE_WEIGHT
  if (typeof value !== 'object' || value === null) return weight
  for (const inner of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    weight += weightOf(inner, most - weight)
    if (weight > most) break
  }
  return weight
}

type Field = readonly [name: string | number, value: unknown]

/** Fields in their order: light ones together, as many as are made at once, heavy ones each alone. */
function* togetherOf(fields: readonly Field[]): Generator<readonly [isHeavy: boolean, fields: readonly Field[]]> {
  let light: Field[] = []
  let weight = 0
  for (const field of fields) {
    const own = weightOf(field[1], JSON_AT_ONCE)
    if (weight + own > JSON_AT_ONCE && light.length > 0) {
      yield [false, light]
      light = []
      weight = 0
    }
    if (own > JSON_AT_ONCE) yield [true, [field]]
    else {
      light.push(field)
      weight += own
    }
  }
  if (light.length > 0) yield [false, light]
}

/** The JSON of a heavy value in parts of some JSON_AT_ONCE characters. */
function* heavyJson(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield '"'
    for (const part of textPieces(value, JSON_AT_ONCE)) yield JSON.stringify(part).slice(1, -1)
    yield '"'
  } else if (Array.isArray(value)) yield* heavyFields([...(value as readonly unknown[]).entries()], '[', ']')
  else yield* heavyFields(Object.entries(value as object), '{', '}')
}

function* heavyFields(fields: readonly Field[], opening: '[' | '{', closing: ']' | '}'): Generator<string> {
  const isList = opening === '['
  let before = ''
  yield opening
  for (const [isHeavy, together] of togetherOf(fields)) {
    if (isHeavy) {
      const [name, value] = together[0]!
      yield isList ? before : `${before}${JSON.stringify(name)}:`
      yield* heavyJson(value)
    } else {
      const values = isList ? together.map(([, value]) => value) : objectOf(together as readonly [string, unknown][])
      const json = JSON.stringify(values).slice(1, -1)
      // JSON has nothing of fields that are undefined.
      if (json === '') continue
      yield before + json
    }
    before = ','
  }
  yield closing
}

/**
 * The JSON text of an object of plain values, as `JSON.stringify` makes it, piece by piece: of what is long or many in pieces that have a
 * turn each, all else in one.
 */
export async function* jsonPieces(object: object): AsyncGenerator<string> {
  if (weightOf(object, JSON_AT_ONCE) <= JSON_AT_ONCE) {
    yield JSON.stringify(object)
    return
  }
  let piece = ''
  for (const part of heavyJson(object)) {
    piece += part
    if (piece.length < JSON_AT_ONCE) continue
    yield piece
    piece = ''
    await otherWork()
  }
  if (piece !== '') yield piece
}

/** The same as one text. */
export async function jsonInTurns(object: object): Promise<string> {
  let json = ''
  for await (const piece of jsonPieces(object)) json += piece
  return json
}
