import { firstPlace } from '../../../base/first-place.js'
import { countedValues, type Document, Double, type Value } from '../../../pipeline/index.js'
import type { CountedDay } from '../../counted-parts.js'
import { addedOf, type Found, trustOf, valuesOf } from './counted-calls.js'

/**
 * What is kept of a day: documents that count the calls of an agent, or, of a kind of values, those of an agent and those of all
 * agents together, each with its values as a list. Several of the same add up.
 */

/** Of whose calls a document is. */
export type CountsOf = 'agent' | 'all'

/** Values in one document: it stays far below what a server takes of one. */
const VALUES_TOGETHER = 2_000

/** Sums of a kind of values, by what tells the values apart. */
type Sums = Map<string, Record<string, Value>>

interface OfAgent {
  readonly own: Record<string, Value>
  readonly added: Record<string, Value>
}

const NAMES = ['day', 'trust', 'agent_id', 'agent_name'] as const

/** What tells documents of a day apart, as a text. */
const textOf = (values: readonly (Value | undefined)[]): string =>
  JSON.stringify(
    values.map(value =>
      value instanceof Double ? value.value : typeof value === 'bigint' ? `${value}` : (value ?? null),
    ),
  )

const plus = (a: Value | undefined, b: Value): Value => {
  if (a === undefined) return b
  if (typeof a === 'bigint' && typeof b === 'bigint') return a + b
  return Number(a) + Number(b)
}

function addTo(sums: Record<string, Value>, added: Readonly<Record<string, Value | undefined>>): void {
  for (const [name, value] of Object.entries(added)) if (value !== undefined) sums[name] = plus(sums[name], value)
}

/** The documents of calls that lie in these days. @param days in order */
export function dayCountsOf(days: readonly CountedDay[], calls: readonly Document[]): readonly Document[] {
  const agents = new Map<string, OfAgent>()
  const values = new Map<string, { readonly head: Record<string, Value>; readonly sums: Sums }>()
  const count = (head: Record<string, Value>, by: string, found: Found) => {
    const of = textOf([by, ...NAMES.map(name => head[name])])
    let kept = values.get(of)
    if (kept === undefined) values.set(of, (kept = { head: { ...head, by }, sums: new Map() }))
    const { key, value, number, ...added } = found
    const which = textOf([key, value, number])
    let sums = kept.sums.get(which)
    if (sums === undefined) kept.sums.set(which, (sums = known({ key, value, number })))
    addTo(sums, added)
  }
  for (const call of calls) {
    const began = call['created_dt'] as Date
    const day = dayOf(days, began.getTime())
    if (day === undefined) continue
    const whole = known({ of: 'all', day: new Date(day.day), trust: trustOf(call) })
    const own = known({ ...whole, of: 'agent', agent_id: call['agent_id'], agent_name: call['agent_name'] })
    const which = textOf(NAMES.map(name => own[name]))
    let kept = agents.get(which)
    if (kept === undefined)
      agents.set(which, (kept = { own: { ...own, by: 'agent', first: began, last: began }, added: {} }))
    if (began < (kept.own['first'] as Date)) kept.own['first'] = began
    if (began > (kept.own['last'] as Date)) kept.own['last'] = began
    addTo(kept.added, addedOf(call))
    for (const by of countedValues) {
      for (const found of valuesOf(call, by)) {
        count(own, by, found)
        count(whole, by, found)
      }
    }
  }
  return [
    ...[...agents.values()].map(({ own, added }) => ({ ...own, ...added })),
    ...[...values.values()].flatMap(({ head, sums }) => {
      const all = [...sums.values()]
      return Array.from({ length: Math.ceil(all.length / VALUES_TOGETHER) }, (_, i) => ({
        ...head,
        values: all.slice(i * VALUES_TOGETHER, (i + 1) * VALUES_TOGETHER),
      }))
    }),
  ]
}

const known = (values: Readonly<Record<string, Value | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, Value][] => (value === undefined ? [] : [[name, value]])),
  )

/** The day an instant lies in. */
function dayOf(days: readonly CountedDay[], at: number): CountedDay | undefined {
  const day = days[firstPlace(days, ({ until }) => until > at)]
  return day !== undefined && day.from <= at ? day : undefined
}
