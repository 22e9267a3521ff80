import type { CallRecord } from '../../calls/call-record.js'
import type { CompiledRubric } from './compile-rubric.js'
import { type Spot, spotAt } from './finding.js'
import type { HeardCall } from './heard-call.js'
import { isLost } from './lost-region.js'
import type { DriverFound, Said } from './reading.js'
import type { WordingSet } from './vocabulary.js'

/**
 * Why the customer calls: the first line of the driver table that one of their first turns matches; where none does, the
 * first line of whose hints one is said.
 */
export function findDriver(
  call: CallRecord,
  { rubric, drivers }: CompiledRubric,
  heard: HeardCall,
  said: readonly (readonly Said[])[],
  readable: boolean,
): DriverFound {
  const brought = call.interaction_driver
  if (!readable) return { driver: brought, heard: undefined, further: [], unknown: true }
  const first = heard.by.customer.slice(0, rubric.drivers.turns)
  const last = first.at(-1)
  if (last !== undefined) {
    const spotOf = (
      wording: WordingSet | undefined,
      not: WordingSet | undefined,
      until = last.index,
    ): Spot | undefined => {
      if (wording === undefined || said[wording]!.length === 0) return undefined
      const voids = not === undefined ? [] : said[not]!
      const hit = said[wording]!.find(
        one =>
          one.index <= until &&
          heard.spoken[one.index]!.actor === 'customer' &&
          !voids.some(({ index, from, to }) => index === one.index && from < one.to && to > one.from),
      )
      return hit && spotAt(heard.spoken[hit.index]!, hit.from, hit.to)
    }
    for (const wording of ['any', 'hints'] as const) {
      for (const line of drivers) {
        const spot = spotOf(line[wording], line.not)
        const { driver } = line
        if (spot === undefined) continue
        const heard = { driver, spot, hinted: wording === 'hints' }
        const further = drivers.flatMap(other => {
          const said = other.driver === driver ? undefined : spotOf(other.any, other.not, Infinity)
          return said === undefined ? [] : [{ driver: other.driver, spot: said }]
        })
        return { driver: brought ?? driver, heard, further, unknown: false }
      }
    }
  }
  const unknown = isLost(heard, ['customer'], 0, last?.place ?? Infinity)
  return { driver: brought, heard: undefined, further: [], unknown }
}
