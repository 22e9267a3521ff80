import type { CompiledRubric, CompiledSignal } from './compile-rubric.js'
import type { EvaluationTime } from './evaluation-time.js'
import type { Spot } from './finding.js'
import type { Reading, SignalState } from './reading.js'

/** What a call shows of a signal. */
export interface SignalFound {
  readonly compiled: CompiledSignal
  readonly state: SignalState
  readonly spots: readonly Spot[]
  /** A model found it, not the rules: what was measured of these says nothing of it. */
  readonly byModel?: true
}

/** A signal takes as long as a step for each so many words of the call. */
const WORDS_OF_A_STEP = 16

const NOWHERE: readonly Spot[] = []

/**
 * What a call shows of each signal that applies to it, in the rubric's order of dependence. The states go into
 * `states` as they are found, where rules of later signals look them up.
 */
export function evaluateSignals(
  { signals }: CompiledRubric,
  reading: Reading,
  states: Map<string, SignalState>,
  time?: EvaluationTime,
): readonly SignalFound[] {
  const found: SignalFound[] = []
  const steps = 1 + reading.heard.words / WORDS_OF_A_STEP
  time?.check()
  for (const compiled of signals) {
    time?.step(steps)
    const one = evaluateSignal(compiled, reading)
    if (one === undefined) continue
    states.set(compiled.signal.key, one.state)
    found.push(one)
  }
  return found
}

/** By its rules. Undefined where the signal does not apply. */
export function evaluateSignal(compiled: CompiledSignal, reading: Reading): SignalFound | undefined {
  const { applies, present, unclear, absent } = compiled
  // What needs words is left out where they can't be read; what needs times, where there is no such thing.
  if ((compiled.words && !reading.readable) || (compiled.times && reading.written)) return undefined
  if (!someoneSpeaks(compiled, reading)) return undefined
  const applying = applies?.find(reading)
  if (applying?.truth === 'no') return undefined
  const shown = present.find(reading)
  if (shown.truth === 'yes') return { compiled, state: 'present', spots: shown.spots }
  // What only the clock could tell is not said where there is none: it counts neither for nor against anybody.
  if (shown.truth === 'unknown' && compiled.times && reading.timing === undefined) return undefined
  if (shown.truth === 'unknown' || applying?.truth === 'unknown') return { compiled, state: 'unclear', spots: NOWHERE }
  const doubtful = unclear?.find(reading)
  if (doubtful !== undefined && doubtful.truth !== 'no') return { compiled, state: 'unclear', spots: doubtful.spots }
  if (absent === undefined) return { compiled, state: 'absent', spots: NOWHERE }
  const refuted = absent.find(reading)
  return { compiled, state: refuted.truth === 'yes' ? 'absent' : 'unclear', spots: refuted.spots }
}

/** A signal about what somebody says does not apply where they say nothing at all, not even something not understood. */
export function someoneSpeaks({ present: { speakers } }: CompiledSignal, { heard }: Reading): boolean {
  const speaks = (speaker: 'agent' | 'customer') => heard.by[speaker].length > 0 || heard.lost[speaker].length > 0
  return (!speakers.has('agent') || speaks('agent')) && (!speakers.has('customer') || speaks('customer'))
}
