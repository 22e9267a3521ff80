import type { CallRecord } from '../../calls/call-record.js'
import type { CompiledRubric } from './compile-rubric.js'
import type { SignalFound } from './evaluate-signals.js'
import type { Spot } from './finding.js'
import { quote } from './quote.js'
import type { Reading } from './reading.js'

type Guidance = NonNullable<CallRecord['guidance']>

/** The guidance entries whose rule holds, in the order of the compiled rubric. */
export function guidanceOf({ guidance }: CompiledRubric, reading: Reading, found: readonly SignalFound[]): Guidance {
  const given = guidance.filter(({ when }) => when.find(reading).truth === 'yes')
  return given.map(({ guide: { key, kind, priority, description: text }, signals }) => {
    const spot = firstSpot(signals, found)
    return spot === undefined ? { key, kind, priority, text } : { key, kind, priority, text, evidence: [quote(spot)] }
  })
}

/** What decided the first of some signals that was decided at a place. */
export function firstSpot(signals: readonly string[], found: readonly SignalFound[]): Spot | undefined {
  for (const key of signals) {
    const spot = found.find(({ compiled }) => compiled.signal.key === key)?.spots[0]
    if (spot !== undefined) return spot
  }
  return undefined
}
