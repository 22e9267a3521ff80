/** Looks at the clock are so many steps apart: each takes as long as some of them. */
const STEPS_BETWEEN_LOOKS = 64

/** An evaluation was given up because it takes too long. */
export class EvaluationTooLong extends Error {
  override readonly name = 'EvaluationTooLong'
}

/** How long the evaluation of a call may take: a rubric is its project's own, and so may be what it costs. */
export class EvaluationTime {
  readonly #until: number
  #steps = 0

  /** @param mostMs milliseconds from now */
  constructor(mostMs: number) {
    this.#until = performance.now() + mostMs
  }

  /** Counts small steps. @throws EvaluationTooLong when the time is over */
  step(steps = 1): void {
    this.#steps += steps
    if (this.#steps < STEPS_BETWEEN_LOOKS) return
    this.#steps = 0
    this.check()
  }

  /** Says that some work begins. @param expectedMs what it takes at least @throws EvaluationTooLong when there is no time for it */
  check(expectedMs = 0): void {
    if (performance.now() + expectedMs > this.#until) throw new EvaluationTooLong()
  }
}
