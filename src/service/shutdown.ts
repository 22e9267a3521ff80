/** In this order: what is of one phase ends together, the latest begun first, before the next phase begins. */
const PHASES = [
  /** Whoever sends requests hears that the service is about to stop, and still is answered. */
  'announcing',
  /** What only watches. */
  'watching',
  /** What answers, and what this process does for all, which others may take over before the last answer is given. */
  'working',
  /** What was done is written down. */
  'recording',
  /** What was done is told. */
  'telling',
] as const

type Phase = (typeof PHASES)[number]

/** May reject; whoever asked for the end hears of the first that does. */
type End = (reason: string) => void | Promise<void>

/** How a service ends: each part says so as it is begun, in the phase it ends in. */
export class Shutdown {
  readonly #ends: { readonly phase: Phase; readonly end: End }[] = []
  readonly #foundations: End[] = []
  #running: Promise<void> | undefined

  get hasBegun(): boolean {
    return this.#running !== undefined
  }

  add(phase: Phase, end: End): void {
    this.#ends.push({ phase, end })
  }

  /** What others stand on ends after all phases, whatever went wrong in them; the latest first, one by one. */
  addFoundation(end: End): void {
    this.#foundations.push(end)
  }

  /** Ends everything, once. Rejects when a part did, after all that others stand on has ended. */
  run(reason: string): Promise<void> {
    return (this.#running ??= this.#run(reason))
  }

  async #run(reason: string): Promise<void> {
    /* oxlint-disable no-await-in-loop -- one phase after the other */
    const faults: unknown[] = []
    try {
      for (const phase of PHASES) {
        const ends = this.#ends.filter(one => one.phase === phase).toReversed()
        await Promise.all(ends.map(async ({ end }) => await end(reason)))
      }
    } catch (error) {
      faults.push(error)
    }
    for (const end of this.#foundations.toReversed()) {
      try {
        await end(reason)
      } catch (error) {
        faults.push(error)
      }
    }
    /* oxlint-enable no-await-in-loop */
    if (faults.length > 0) throw faults[0]
  }
}
