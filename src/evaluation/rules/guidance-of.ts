import type { CallRecord } from '../../calls/call-record.js'
import { signalsIn } from '../rubric/signals-in.js'
import type { CompiledRubric } from './compile-rubric.js'
import type { SignalFound } from './evaluate-signals.js'
import { quote } from './quote.js'
import type { Reading } from './reading.js'

type Guidance = NonNullable<CallRecord['guidance']>

const URGENCY = ['p0', 'p1', 'p2']

/** The guidance entries whose rule holds: opportunities before excellences, the most urgent first. */
export function guidanceOf({ guidance }: CompiledRubric, reading: Reading, found: readonly SignalFound[]): Guidance {
  const spots = new Map(found.map(one => [one.compiled.signal.key, one.spots] as const))
  const given = guidance.filter(({ when }) => when.find(reading).truth === 'yes')
  const rank = ({ guide }: (typeof given)[number]) =>
    (guide.kind === 'opportunity' ? 0 : URGENCY.length) + URGENCY.indexOf(guide.priority)
  return given
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ guide: { key, kind, priority, description, when } }) => {
      const spot = signalsIn(when).flatMap(signal => spots.get(signal)?.slice(0, 1) ?? [])[0]
      return { key, kind, priority, text: description, ...(spot !== undefined && { evidence: [quote(spot)] }) }
    })
}
