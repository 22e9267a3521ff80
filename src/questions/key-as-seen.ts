import { z } from 'zod'
import type { ConnectionTerms } from '../access/caller.js'
import { connectedCaller } from '../access/connected-caller.js'
import type { Keys } from '../access/keys.js'
import type { Immutable } from '../base/immutable.js'
import { type KeyView, keyView } from '../store/records/key.js'
import type { Answering, AnswerContext } from './answering.js'
import { explainMyScope, scopeExplanation } from './explain-scope.js'

/** What a key hears, in the words it would be told itself. */
export const seenByKey = z.strictObject({
  key: keyView,
  accepted: z.boolean().meta({ description: 'Whether the key is accepted at all; one that is not hears nothing' }),
  scope: scopeExplanation.exactOptional().meta({ description: 'What GET /api/v1/scope answers this key' }),
})
export type SeenByKey = Immutable<z.output<typeof seenByKey>>

/**
 * Looks through a key's eyes: asks what it hears, as the caller it would be.
 * @param connection those of a client that was let in with it
 */
export async function keyAsSeen(
  { answering, keys }: { readonly answering: Pick<Answering, 'answer'>; readonly keys: Pick<Keys, 'callerOf'> },
  key: KeyView,
  context: AnswerContext,
  connection?: ConnectionTerms,
): Promise<SeenByKey> {
  if (!key.active) return { key, accepted: false }
  const ofKey = keys.callerOf(key)
  const caller = connection === undefined ? ofKey : connectedCaller(ofKey, connection)
  const answer = await answering.answer(explainMyScope, caller, {}, context)
  return { key, accepted: true, scope: scopeExplanation.parse(answer) }
}
