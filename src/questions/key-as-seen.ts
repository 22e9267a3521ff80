import { z } from 'zod'
import { callerOfKey } from '../access/caller-of.js'
import type { Immutable } from '../base/immutable.js'
import { type KeyView, keyView } from '../store/records/key.js'
import type { Answering, AnswerContext } from './answering.js'
import { getProjectContext } from './get-project-context.js'
import { mayAsk } from './may-ask.js'
import { questions } from './questions.js'

/** What a key may see, in the words it would be told itself. */
export const seenByKey = z.strictObject({
  key: keyView,
  accepted: z.boolean().meta({ description: 'Whether the key is accepted at all; one that is not sees nothing' }),
  tools: z.array(z.string()).meta({ description: 'Tools it may call' }),
  agents_without_calls: z
    .array(z.string())
    .meta({ description: 'Agents it names of whom there are no calls: a name written differently, perhaps' }),
  context: z.looseObject({}).exactOptional().meta({ description: 'The answer of get_project_context to this key' }),
})
export type SeenByKey = Immutable<z.output<typeof seenByKey>>

/** Looks through a key's eyes: asks what it would ask first, as the caller it would be. */
export async function keyAsSeen(
  answering: Pick<Answering, 'answer'>,
  key: KeyView,
  context: AnswerContext,
): Promise<SeenByKey> {
  if (!key.active) return { key, accepted: false, tools: [], agents_without_calls: [] }
  const caller = callerOfKey(key)
  const tools = questions.filter(question => mayAsk(question, caller.access_scope)).map(({ name }) => name)
  if (key.min_group !== undefined) return { key, accepted: true, tools, agents_without_calls: [] }
  const seen = getProjectContext.output.parse(await answering.answer(getProjectContext, caller, {}, context))
  const heard = new Set(seen.agents.map(agent => agent.agent_name))
  // The list of agents is cut at its length; beyond it nothing can be said.
  const whole = seen.agents.length >= seen.agents_total
  const missing = whole ? key.allowed_agents.filter(name => !heard.has(name)) : []
  return { key, accepted: true, tools, agents_without_calls: missing, context: seen }
}
