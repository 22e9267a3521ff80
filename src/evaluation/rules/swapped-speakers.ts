import type { CallRecord } from '../../calls/call-record.js'
import type { CompiledRubric } from './compile-rubric.js'
import { evaluateSignals, type SignalFound } from './evaluate-signals.js'
import type { EvaluationTime } from './evaluation-time.js'
import { type CallRead, readCall } from './read-call.js'
import type { Doubt } from './trust-of.js'

/** Who shows so many of the signals that show who is who is the right one: most calls are read once. */
const ENOUGH = 2
/** How many more the other way round has to show to be doubted, and to be taken. */
const DOUBTFUL = 2
const SURE = 3

const OTHER = { agent: 'customer', customer: 'agent', system: 'system' } as const

/** A call read, with what it shows. */
export interface CallHeard {
  readonly read: CallRead
  readonly found: readonly SignalFound[]
  /** What speaks against who is said to speak. */
  readonly doubts: readonly Doubt[]
}

/**
 * Tells a transcript that has agent and customer the wrong way round by trying both: who names the company, offers help and says
 * that it is done is the agent. Where the other way round shows far more of that, it is what is evaluated, and trust says so.
 */
export function tellSpeakers(
  call: CallRecord,
  compiled: CompiledRubric,
  heard: Omit<CallHeard, 'doubts'>,
  time: EvaluationTime,
): CallHeard {
  const { roles } = compiled.rubric
  const { by } = heard.read.reading.heard
  const both = by.agent.length > 0 && by.customer.length > 0
  const shown = showing(roles, heard.found)
  if (roles.length === 0 || !both || !heard.read.language.readable || shown >= ENOUGH) return { ...heard, doubts: [] }
  const transcript = call.transcript?.map(turn => ({ ...turn, actor: OTHER[turn.actor] })) ?? []
  const read = readCall({ ...call, transcript }, compiled, time)
  if (typeof read === 'string') return { ...heard, doubts: [] }
  const found = evaluateSignals(compiled, read.reading, read.states, time)
  const more = showing(roles, found) - shown
  if (more >= SURE) {
    const reason = 'Agent and customer are swapped in the transcript: the call was evaluated the other way round'
    return { read, found, doubts: [{ less: 0.3, reason }] }
  }
  const reason = 'Agent and customer may be swapped in the transcript'
  return { ...heard, doubts: more >= DOUBTFUL ? [{ less: 0.3, reason }] : [] }
}

function showing(roles: readonly string[], found: readonly SignalFound[]): number {
  return found.filter(({ compiled, state }) => state === 'present' && roles.includes(compiled.signal.key)).length
}
