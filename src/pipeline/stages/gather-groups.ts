import { objectOf } from '../../base/fields.js'
import type { AccumulatorCall } from '../accumulators/accumulator.js'
import { compareValues, valueKey } from '../order.js'
import type { Environment } from '../tree.js'
import type { Document, Value } from '../value.js'
import type { Output } from './outputs.js'

/** One document for each different key, with what the accumulators gathered, in the order of the keys. */
export function gatherGroups(
  documents: readonly Document[],
  environment: Omit<Environment, 'root'>,
  keyOf: (inside: Environment) => Value,
  outputs: readonly Output[],
): readonly Document[] {
  const groups = new Map<string, { id: Value; parts: readonly ReturnType<AccumulatorCall['start']>[] }>()
  for (const root of documents) {
    const inside = { ...environment, root }
    const id = keyOf(inside)
    const key = valueKey(id)
    let group = groups.get(key)
    if (group === undefined) {
      group = { id, parts: outputs.map(({ call }) => call.start(id)) }
      groups.set(key, group)
    }
    for (const part of group.parts) part.add(inside)
  }
  const sorted = [...groups.values()].toSorted((a, b) => compareValues(a.id, b.id))
  return sorted.map((group): Document => ({
    _id: group.id,
    ...objectOf(outputs.map(({ name }, i) => [name, group.parts[i]!.result()])),
  }))
}
