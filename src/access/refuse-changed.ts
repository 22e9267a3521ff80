import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../base/problem.js'
import type { Caller } from './caller.js'

/**
 * What was found for a key as it was is not told to it as it is: once a change of what it may hear is acknowledged, nothing of before
 * leaves any more.
 * @param asked who asked
 * @param now the same, as of now
 * @throws Problem `forbidden` where they may hear or do anything else by now, be it more
 */
export function refuseChanged(asked: Caller, now: Caller): void {
  if (isDeepStrictEqual(asked.access_scope, now.access_scope)) return
  throw new Problem('forbidden', 'What the key may hear was changed while this was answered: ask again')
}
