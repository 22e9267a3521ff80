import { onTestFinished, vi } from 'vitest'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'

/** A clock that goes on by itself and by what is said. */
export function movedClock(): (ms: number) => void {
  const now = performance.now.bind(performance)
  let further = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + further)
  onTestFinished(() => {
    clock.mockRestore()
  })
  return ms => (further += ms)
}

/** A machine on which each call waits so long before it is evaluated. */
export function slowRules(ms: number): void {
  const wait = movedClock()
  // oxlint-disable-next-line typescript/unbound-method -- it is called on what it was taken from
  const { evaluate } = RulesEvaluator.prototype
  const rules = vi.spyOn(RulesEvaluator.prototype, 'evaluate').mockImplementation(function (
    this: RulesEvaluator,
    ...args
  ) {
    wait(ms)
    return evaluate.apply(this, args)
  })
  onTestFinished(() => {
    rules.mockRestore()
  })
}
