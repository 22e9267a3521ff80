import { Problem } from '../base/problem.js'

/** Seconds after which a refused upload may find a slot. */
const RETRY_S = 5

/** A bound on work that runs at once; what comes on top is refused instead of queued, since its body waits meanwhile. */
export function uploadSlots(most: number): { take<T>(work: () => Promise<T>): Promise<T> } {
  let taken = 0
  return {
    take: async work => {
      if (taken >= most) {
        throw new Problem('busy', `${most} large imports are running; try again in ${RETRY_S} s`, {
          retryAfter: RETRY_S,
        })
      }
      taken += 1
      try {
        return await work()
      } finally {
        taken -= 1
      }
    },
  }
}
