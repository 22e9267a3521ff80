import { closest } from '../../base/closest.js'
import { isObject } from '../../base/is-object.js'
import { echo } from '../../base/text.js'
import { inAnotherLanguage } from './in-another-language.js'
import type { RubricFault } from './check-rubric.js'

type Path = readonly (string | number)[]
type Fields = Readonly<Record<string, unknown>>

/** More are not told of. */
const MOST_FAULTS = 20

/** How what a file says of a field changes what is inherited. Where none is told, it replaces it. */
type Change =
  /** Field by field. */
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, Change>> }
  /** Name by name, each in the same way. */
  | { readonly kind: 'names'; readonly each: Change }
  /** Entry by entry, told apart by one of their fields. */
  | {
      readonly kind: 'entries'
      readonly by: 'key' | 'driver'
      readonly fields: Readonly<Record<string, Change>>
      /** A field that holds no longer where one of some others is changed. */
      readonly measured?: { readonly field: string; readonly of: readonly string[] }
    }
  /** Phrases are added and removed. */
  | { readonly kind: 'wording' }

const wording: Change = { kind: 'wording' }
const fields = (some: Readonly<Record<string, Change>>): Change => ({ kind: 'fields', fields: some })
type Entries = Change & { readonly kind: 'entries' }
const entries = (some: Entries['fields'] = {}, more: Partial<Pick<Entries, 'by' | 'measured'>> = {}): Change => ({
  kind: 'entries',
  by: 'key',
  fields: some,
  ...more,
})

const CHANGES = fields({
  lists: { kind: 'names', each: wording },
  drivers: fields({ table: entries({ any: wording, not: wording, hints: wording }, { by: 'driver' }) }),
  course: fields({ stock: wording }),
  dimensions: entries(),
  signals: entries(
    { coaching: fields({}) },
    { measured: { field: 'confidence', of: ['applies', 'present', 'unclear', 'absent'] } },
  ),
  caps: entries(),
  csat: fields({ parts: entries() }),
  unscored: entries(),
  readings: entries(),
  guidance: entries(),
  holds: wording,
  backchannels: wording,
  intensifiers: wording,
  coaching: fields({}),
})

/** A rubric that extends another one, written out. */
interface ExtendedRubric {
  /** As it would be written without `extends`; not checked. */
  readonly value: unknown
  /** What changes something that is not there, or does not say how it changes it: places in the file. */
  readonly faults: readonly RubricFault[]
  /** Where in the file something of the value stands; undefined when it is inherited. */
  readonly placeOf: (path: Path) => Path | undefined
}

/**
 * Writes out a rubric that extends another one.
 * @param inherited what it extends
 * @param name the name of that
 * @param own what the file says beside `extends`
 */
export function extendRubric(inherited: unknown, name: string, own: Fields): ExtendedRubric {
  const extension = new Extension(name)
  const value = extension.change(CHANGES, withoutDrivers(inLanguageOf(own, inherited), removedDrivers(own)), own, [])
  return { value, faults: extension.faults, placeOf: path => extension.placeOf(value, path) }
}

/** Words are of a language: what is in another one is taken over without them. */
function inLanguageOf(own: Fields, inherited: unknown): unknown {
  const { language } = own
  if (language === undefined || !isObject(inherited) || inherited['language'] === language) return inherited
  return inAnotherLanguage(inherited, own)
}

/** The drivers that a file takes out of the table. */
function removedDrivers({ drivers }: Fields): ReadonlySet<unknown> {
  const table = isObject(drivers) && Array.isArray(drivers['table']) ? (drivers['table'] as readonly unknown[]) : []
  return new Set(table.flatMap(line => (isObject(line) && line['remove'] === true ? [line['driver']] : [])))
}

/** A rubric whose rules name drivers no more that are taken out of its table: each works on with those that are left. */
function withoutDrivers(value: unknown, removed: ReadonlySet<unknown>): unknown {
  if (removed.size === 0) return value
  if (Array.isArray(value)) return value.map(one => withoutDrivers(one, removed))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (name !== 'driver' || !isObject(one) || !Array.isArray(one['is'])) return [name, withoutDrivers(one, removed)]
      const left = one['is'].filter(driver => !removed.has(driver))
      return [name, left.length === 0 ? one : { ...one, is: left }]
    }),
  )
}

class Extension {
  readonly faults: RubricFault[] = []
  readonly #name: string
  /** Of maps and lists in which own things stand beside inherited ones: where each of the own ones is in the file. */
  readonly #places = new Map<object, ReadonlyMap<string | number, Path>>()

  constructor(name: string) {
    this.#name = name
  }

  change(how: Change | undefined, inherited: unknown, own: unknown, path: Path): unknown {
    switch (how?.kind) {
      case 'fields':
        return this.#changeFields(name => how.fields[name], inherited, own, path)
      case 'names':
        return this.#changeFields(() => how.each, inherited, own, path)
      case 'entries':
        return this.#changeEntries(how, inherited, own, path)
      case 'wording':
        return this.#changeWording(inherited, own, path)
      case undefined:
        return own
    }
  }

  placeOf(value: unknown, path: Path): Path | undefined {
    let [here, place]: [unknown, Path] = [value, []]
    for (const step of path) {
      const places = typeof here === 'object' && here !== null ? this.#places.get(here) : undefined
      const next = places === undefined ? [...place, step] : places.get(step)
      if (next === undefined) return undefined
      place = next
      here = (here as Readonly<Record<string | number, unknown>> | undefined)?.[step]
    }
    return place
  }

  #changeFields(how: (name: string) => Change | undefined, inherited: unknown, own: unknown, path: Path): unknown {
    if (!isObject(inherited) || !isObject(own)) return own
    const changed = new Map(Object.entries(inherited))
    const places = new Map<string, Path>()
    for (const [name, value] of Object.entries(own)) {
      const place = [...path, name]
      places.set(name, place)
      if (value === null) changed.delete(name)
      else changed.set(name, this.change(how(name), changed.get(name), value, place))
    }
    return this.#placed(Object.fromEntries(changed), places)
  }

  /** Changed entries keep their place; a new one comes after the one that stands before it in the file, or at the end. */
  #changeEntries({ by, fields: how, measured }: Entries, inherited: unknown, own: unknown, path: Path) {
    if (!Array.isArray(inherited) || !Array.isArray(own)) return own
    const places = new Map<string | number, Path>()
    const slots = inherited.map((entry: unknown) => ({
      entry,
      before: [] as Placed[],
      after: [] as Placed[],
      place: path,
    }))
    const slotOf = new Map(inherited.map((entry: unknown, at) => [isObject(entry) ? entry[by] : undefined, at]))
    const removed = new Set<number>()
    const met = new Set<number>()
    const ahead: Placed[] = []
    let last: number | undefined
    let first: number | undefined
    for (const [index, entry] of own.entries()) {
      const place = [...path, index]
      const key: unknown = isObject(entry) ? entry[by] : undefined
      const at = typeof key === 'string' ? slotOf.get(key) : undefined
      const removes = isObject(entry) && entry['remove'] === true
      const slot = at === undefined || met.has(at) ? undefined : slots[at]
      if (slot === undefined || at === undefined) {
        if (removes) this.#nothing([...place, by], key, slotOf.keys())
        else if (last === undefined) ahead.push({ entry, place })
        else slots[last]!.after.push({ entry, place })
        continue
      }
      met.add(at)
      last = at
      first ??= at
      if (removes) removed.add(at)
      const stale = measured !== undefined && isObject(entry) && measured.of.some(name => Object.hasOwn(entry, name))
      const kept = stale ? without(measured.field, slot.entry) : slot.entry
      slot.entry = this.#changeFields(name => how[name], kept, entry, place)
      slot.place = place
    }
    if (first !== undefined) slots[first]!.before.push(...ahead)
    const all = slots.flatMap(({ entry, before, after, place }, at): Placed[] => [
      ...before,
      ...(removed.has(at) ? [] : [{ entry, place: met.has(at) ? place : undefined }]),
      ...after,
    ])
    if (first === undefined) all.push(...ahead)
    for (const [at, { place }] of all.entries()) if (place !== undefined) places.set(at, place)
    return this.#placed(
      all.map(({ entry }) => entry),
      places,
    )
  }

  #changeWording(inherited: unknown, own: unknown, path: Path): unknown {
    if (!isObject(own)) {
      if (Array.isArray(inherited) && Array.isArray(own)) {
        this.#fault(
          path,
          `has ${inherited.length} phrases in ${this.#name}: say which to add or remove, { add: […], remove: […] }, or write { replace: […] } to have none of them`,
        )
      }
      return own
    }
    const { add = [], remove = [], replace, ...others } = own
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) this.#fault([...path, unknown], `is none of add, remove and replace`)
    for (const [name, phrases] of Object.entries({ add, remove, replace: replace ?? [] })) {
      if (Array.isArray(phrases)) continue
      this.#fault([...path, name], 'must be a list of phrases')
      return inherited
    }
    if (!Array.isArray(inherited)) this.#fault(path, `changes a list that ${this.#name} has not: give it as a list`)
    const had = new Set<unknown>(Array.isArray(inherited) ? inherited : [])
    const gone = new Set(remove as readonly unknown[])
    for (const [at, phrase] of (remove as readonly unknown[]).entries()) {
      if (!had.has(phrase)) this.#nothing([...path, 'remove', at], phrase, had)
    }
    const kept: readonly Placed[] = Array.isArray(replace)
      ? replace.map((entry: unknown, at) => ({ entry, place: [...path, 'replace', at] }))
      : [...had].filter(entry => !gone.has(entry)).map(entry => ({ entry, place: undefined }))
    const there = new Set(kept.map(({ entry }) => entry))
    const more = (add as readonly unknown[]).map((entry, at) => ({ entry, place: [...path, 'add', at] }))
    const all = [...kept, ...more.filter(({ entry }) => !there.has(entry))]
    const places = new Map(all.flatMap(({ place }, at) => (place === undefined ? [] : [[at, place] as const])))
    return this.#placed(
      all.map(({ entry }) => entry),
      places,
    )
  }

  #placed<T extends object>(value: T, places: ReadonlyMap<string | number, Path>): T {
    this.#places.set(value, places)
    return value
  }

  #nothing(path: Path, value: unknown, known: Iterable<unknown>): void {
    // Looking for what is meant takes a while, and so many faults are not told of.
    if (this.faults.length >= MOST_FAULTS) return
    const meant = closest(
      String(value),
      [...known].filter(one => typeof one === 'string'),
    )
    const hint = meant === undefined ? '' : `, did you mean ${echo(meant)}?`
    this.#fault(path, `removes what ${this.#name} has not: ${echo(value)}${hint}`)
  }

  #fault(path: Path, message: string): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push({ path, message })
  }
}

const without = (field: string, entry: unknown): unknown =>
  isObject(entry) ? Object.fromEntries(Object.entries(entry).filter(([name]) => name !== field)) : entry

/** @param place where it stands in the file; undefined when it is inherited */
interface Placed {
  readonly entry: unknown
  readonly place: Path | undefined
}
