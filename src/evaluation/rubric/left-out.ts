import { isObject } from '../../base/is-object.js'
import { type Extendable, readYaml } from './parse-rubric.js'
import type { Rubric } from './rubric.js'

/** What a rubric in another language does not take over of the one that it extends. */
export interface LeftOut {
  /** Key of the kind of calls that it is for; absent for the rubric itself. */
  readonly kind?: string
  readonly of: string
  /** By what they are, in the order of the rubric: signals, drivers, caps and so on, each by its key. */
  readonly parts: Readonly<Record<string, readonly string[]>>
  /** Lists of words that what is left out looks for and the file has none of. */
  readonly lists: readonly string[]
  /** Signals whose coaching is still in the other language. */
  readonly coaching: readonly string[]
}

const NAMED = /\$([a-z][a-z0-9_]*)/gu

/**
 * What translations leave out, of a file that was read whole: such a part would never be found.
 * @param text of the file
 * @param whole what it comes to
 */
export function leftOutOf(text: string, whole: Rubric, extendable: Extendable): readonly LeftOut[] {
  const { value } = readYaml(text)
  const kinds = isObject(value) ? entriesOf(value['kinds']) : []
  return [
    ...compared(value, whole, extendable),
    ...kinds.flatMap(({ key, rubric: its }) => {
      const read = whole.kinds?.find(one => one.key === key)?.rubric
      return read === undefined ? [] : compared(its, read, extendable).map(one => ({ kind: String(key), ...one }))
    }),
  ]
}

function compared(own: unknown, whole: Rubric, { rubrics }: Extendable): readonly LeftOut[] {
  const name = isObject(own) ? own['extends'] : undefined
  const inherited = typeof name === 'string' ? rubrics.get(name) : undefined
  if (!isObject(own) || !isObject(inherited) || typeof name !== 'string') return []
  if (inherited['language'] === whole.language) return []
  const left = Object.entries(partsOf(inherited)).map(([part, entries]) => {
    const [kept, removed] = [keysIn(partsOf(whole)[part]), keysIn(partsOf(own)[part], true)]
    return [part, entries.filter(entry => !kept.has(keyOf(entry)) && !removed.has(keyOf(entry)))] as const
  })
  const missing = left.filter(([, entries]) => entries.length > 0)
  const has = new Set(Object.keys(whole.lists))
  const wanted = [...JSON.stringify(missing).matchAll(NAMED)].map(([, list = '']) => list)
  const coached = new Set(entriesOf(own['signals']).flatMap(one => ('coaching' in one ? [keyOf(one)] : [])))
  return [
    {
      of: name,
      parts: Object.fromEntries(missing.map(([part, entries]) => [part, entries.map(entry => keyOf(entry))])),
      lists: [...new Set(wanted)].filter(list => !has.has(list)),
      coaching: whole.signals
        .filter(({ key, coaching }) => coaching !== undefined && !coached.has(key) && isIn(inherited, key))
        .map(({ key }) => key),
    },
  ]
}

/** All of a rubric that is left out one by one. */
function partsOf(rubric: unknown): Readonly<Record<string, readonly Entry[]>> {
  const { signals, drivers, caps, csat, unscored, readings, guidance } = rubric as Entry
  return {
    signals: entriesOf(signals),
    drivers: entriesOf(isObject(drivers) ? drivers['table'] : undefined),
    caps: entriesOf(caps),
    csat: entriesOf(isObject(csat) ? csat['parts'] : undefined),
    unscored: entriesOf(unscored),
    readings: entriesOf(readings).flatMap(({ key, values }) =>
      entriesOf(values).map(one => ({ ...one, key: `${String(key)}: ${String(one['value'])}` })),
    ),
    guidance: entriesOf(guidance),
  }
}

type Entry = Readonly<Record<string, unknown>>

function entriesOf(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? value.filter(one => isObject(one)) : []
}

const keyOf = ({ key, driver }: Entry): string => String(key ?? driver)

/** @param removed only those that the file takes out by its own word */
function keysIn(entries: readonly Entry[] = [], removed = false): ReadonlySet<string> {
  return new Set(entries.filter(one => !removed || one['remove'] === true).map(one => keyOf(one)))
}

const isIn = (inherited: Entry, key: string): boolean => keysIn(entriesOf(inherited['signals'])).has(key)
