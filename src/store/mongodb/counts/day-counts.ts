import { firstPlace } from '../../../base/first-place.js'
import { countedValues, type Document, Double, type Value } from '../../../pipeline/index.js'
import type { CountedDay } from '../../counted-parts.js'
import type { SummedBlock } from '../../day-blocks.js'
import { addedOf, type Found, trustOf, valuesOf } from './counted-calls.js'
import { rowDay } from './listed-days.js'

/**
 * What is kept of a day, or of several together: documents that count the calls of an agent, or, of a kind of values, those of an agent and those of all
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

/** Documents of counts, as they come together. */
class Counts {
  readonly #agents = new Map<string, OfAgent>()
  readonly #values = new Map<string, { readonly head: Record<string, Value>; readonly sums: Sums }>()

  /** Adds to the counts of an agent. @param head whose calls they are, and of which day */
  ofAgent(head: Record<string, Value>, first: Date, last: Date, added: Found): void {
    const which = textOf(NAMES.map(name => head[name]))
    let kept = this.#agents.get(which)
    if (kept === undefined) this.#agents.set(which, (kept = { own: { ...head, by: 'agent', first, last }, added: {} }))
    if (first < (kept.own['first'] as Date)) kept.own['first'] = first
    if (last > (kept.own['last'] as Date)) kept.own['last'] = last
    addTo(kept.added, added)
  }

  /** Adds to the counts of a value. */
  ofValue(head: Record<string, Value>, by: string, found: Found): void {
    const of = textOf([by, ...NAMES.map(name => head[name])])
    let kept = this.#values.get(of)
    if (kept === undefined) this.#values.set(of, (kept = { head: { ...head, by }, sums: new Map() }))
    const { key, value, number, ...added } = found
    const which = textOf([key, value, number])
    let sums = kept.sums.get(which)
    if (sums === undefined) kept.sums.set(which, (sums = known({ key, value, number })))
    addTo(sums, added)
  }

  documents(): readonly Document[] {
    return [
      ...[...this.#agents.values()].map(({ own, added }) => ({ ...own, ...added })),
      ...[...this.#values.values()].flatMap(({ head, sums }) => {
        const all = [...sums.values()]
        return Array.from({ length: Math.ceil(all.length / VALUES_TOGETHER) }, (_, i) => ({
          ...head,
          values: all.slice(i * VALUES_TOGETHER, (i + 1) * VALUES_TOGETHER),
        }))
      }),
    ]
  }
}

/** The documents of calls that lie in these days. @param days in order */
export function dayCountsOf(days: readonly CountedDay[], calls: readonly Document[]): readonly Document[] {
  const counts = new Counts()
  for (const call of calls) {
    const began = call['created_dt'] as Date
    const day = dayOf(days, began.getTime())
    if (day === undefined) continue
    const whole = known({ of: 'all', day: new Date(day.day), trust: trustOf(call) })
    const own = known({ ...whole, of: 'agent', agent_id: call['agent_id'], agent_name: call['agent_name'] })
    counts.ofAgent(own, began, began, addedOf(call))
    for (const by of countedValues) {
      for (const found of valuesOf(call, by)) {
        counts.ofValue(own, by, found)
        counts.ofValue(whole, by, found)
      }
    }
  }
  return counts.documents()
}

/** Leaves of documents of counts what is counted, and of which days. */
export const WITHOUT_PLACE = { $project: { _id: 0, project_id: 0, counting: 0, first_day: 0 } } as const

/** The documents of blocks of several days. @param parts those of what they are the sum of, without their place */
export function blockCountsOf(blocks: readonly SummedBlock[], parts: readonly Document[]): readonly Document[] {
  const wholes = new Map(blocks.flatMap(one => one.of.map(part => [Number(rowDay(part)), one] as const)))
  const counts = new Counts()
  for (const { of, by, day, trust, agent_id, agent_name, first, last, values, ...added } of parts) {
    const whole = wholes.get(Number(day))
    if (whole === undefined) continue
    const head = known({ of, day: whole.block, first_day: new Date(whole.first), trust, agent_id, agent_name })
    if (by === 'agent') counts.ofAgent(head, first as Date, last as Date, added)
    else for (const found of values as readonly Document[]) counts.ofValue(head, by as string, found)
  }
  return counts.documents()
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
