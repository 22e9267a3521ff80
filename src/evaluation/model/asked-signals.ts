import type { CompiledRubric, CompiledSignal } from '../rules/compile-rubric.js'

/**
 * The signals a model is asked for: those decided by what is said. What the clock decides is measured, and what follows
 * from other signals, or from the driver, follows from them here too.
 */
export function askedSignals({ signals }: CompiledRubric): readonly CompiledSignal[] {
  return signals.filter(signal => isAsked(signal))
}

export function isAsked({ words, times, signal }: CompiledSignal): boolean {
  return words && !times && signal.present.driver === undefined
}

/** Whether the model may say that a signal does not apply: where that is decided by what is said too. */
export function mayNotApply({ applies }: CompiledSignal): boolean {
  return applies?.words === true
}
