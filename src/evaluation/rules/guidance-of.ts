import type { CallRecord } from '../../calls/call-record.js'
import type { CompiledRubric } from './compile-rubric.js'
import type { SignalFound } from './evaluate-signals.js'
import { quote } from './quote.js'
import type { Reading } from './reading.js'

type Guidance = NonNullable<CallRecord['guidance']>

/** The guidance entries whose rule holds, in the order of the compiled rubric. */
export function guidanceOf({ guidance }: CompiledRubric, reading: Reading, found: readonly SignalFound[]): Guidance {
  const given = guidance.filter(({ when }) => when.find(reading).truth === 'yes')
  if (given.length === 0) return []
  const spots = new Map(found.map(one => [one.compiled.signal.key, one.spots] as const))
  return given.map(({ guide: { key, kind, priority, description }, signals }) => {
    const decided = signals.find(signal => (spots.get(signal)?.length ?? 0) > 0)
    const spot = decided === undefined ? undefined : spots.get(decided)![0]
    return { key, kind, priority, text: description, ...(spot !== undefined && { evidence: [quote(spot)] }) }
  })
}
