import { liftBand } from '../../calls/lift-band.js'
import type { OutcomeLift } from '../../store/lift-store.js'

/**
 * A call's outcome lift from the chances that were fitted: to 0.001, which is more than they can tell, so that a new fit
 * to nearly the same calls changes few records. lift is the difference of the two as they are shown.
 * @param isTold whether its 95 % interval leaves out 0: a lift that can't be told from none has no band beyond neutral
 */
export function liftOf(pContext: number, pBehavioral: number, isTold: boolean): OutcomeLift {
  const context = Math.round(pContext * 1_000)
  const behavioral = Math.round(pBehavioral * 1_000)
  const lift = (behavioral - context) / 1_000
  const band = liftBand(lift)
  return {
    lift,
    ...((isTold || band === 'neutral') && { lift_band: band }),
    p_behavioral: behavioral / 1_000,
    p_context: context / 1_000,
  }
}
