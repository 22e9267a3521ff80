import type { Problem } from '../base/problem.js'
import type { SharedLimits } from './shared-limits.js'
import type { Share } from './shares.js'

interface SharedPlaces {
  /** What the places are named by. */
  readonly prefix: string
  readonly places: number
  readonly refusal: () => Problem
}

/**
 * Takes one of few places among all processes, beside what was taken here. A process that dies gives its places back after
 * the time of a lease.
 * @param here is given back where there is none
 */
export async function takeShared(
  here: Share,
  leases: SharedLimits['leases'],
  { prefix, places, refusal }: SharedPlaces,
): Promise<Share> {
  try {
    const taken = await leases.held(`${prefix} `)
    const names = Array.from({ length: places }, (_, i) => `${prefix} ${i + 1}`)
    for (const name of names.filter(one => !taken.has(one))) {
      // oxlint-disable-next-line no-await-in-loop -- the first that is free
      const held = await leases.take(name)
      if (held === undefined) continue
      return {
        more: amount => here.more(amount),
        release: () => {
          here.release()
          void held.release()
        },
      }
    }
    throw refusal()
  } catch (error) {
    here.release()
    throw error
  }
}
