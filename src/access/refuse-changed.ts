import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../base/problem.js'
import type { Caller } from './caller.js'

/**
 * What was found for a key as it was is not told to it as it is: once a change of what it may hear is acknowledged, nothing of before
 * leaves any more. Nor does what was found before calls were erased, or masked: they may be in it.
 * @param asked who asked
 * @param now the same, as of now
 * @throws Problem `forbidden` where they may hear or do anything else by now, be it more; `busy` where calls were taken away meanwhile
 */
export function refuseChanged(asked: Caller, now: Caller): void {
  if (asked.takenAway !== now.takenAway)
    throw new Problem('busy', 'Calls were erased or masked while this was answered: ask again', { retryAfter: 1 })
  if (isDeepStrictEqual(asked.access_scope, now.access_scope)) return
  throw new Problem('forbidden', 'What the key may hear was changed while this was answered: ask again')
}
