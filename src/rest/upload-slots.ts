import { Problem } from '../base/problem.js'

/** Seconds after which a refused upload may find a slot. */
const RETRY_S = 5

/**
 * A bound on uploads that are worked on at once, one of each project: a body may take an hour to arrive, and whoever sends
 * several keeps none of the others waiting. What comes on top is refused instead of queued, since its body waits meanwhile.
 */
export function uploadSlots(most: number): { take<T>(projectId: string, work: () => Promise<T>): Promise<T> } {
  const taken = new Set<string>()
  return {
    take: async (projectId, work) => {
      if (taken.has(projectId)) throw busy('A large import of this project is running')
      if (taken.size >= most) throw busy('Other large imports are running')
      taken.add(projectId)
      try {
        return await work()
      } finally {
        taken.delete(projectId)
      }
    },
  }
}

function busy(what: string): Problem {
  return new Problem('busy', `${what}; try again in ${RETRY_S} s`, { retryAfter: RETRY_S })
}
