import { callerOfKey } from '../access/caller-of.js'
import type { KeyView } from '../access/key-view.js'
import type { Answering } from './answering.js'
import { getProjectContext } from './get-project-context.js'
import { questions } from './questions.js'

/** What a key may see, in the words it would be told itself. */
export interface SeenByKey {
  readonly key: KeyView
  /** Whether the key is accepted at all; one that is not sees nothing. */
  readonly accepted: boolean
  /** Tools it may call. */
  readonly tools: readonly string[]
  /** Agents it names of whom there are no calls: a name written differently, perhaps. */
  readonly agents_without_calls: readonly string[]
  /** The answer of get_project_context to this key. */
  readonly context?: object
}

export type KeyAsSeen = (
  key: KeyView,
  context: { readonly requestId: string; readonly signal?: AbortSignal },
) => Promise<SeenByKey>

/** Looks through a key's eyes: asks what it would ask first, as the caller it would be. */
export function keyAsSeen(answering: Answering): KeyAsSeen {
  return async (key, context) => {
    if (!key.active) return { key, accepted: false, tools: [], agents_without_calls: [] }
    const caller = callerOfKey(key)
    const tools = questions
      .filter(({ roles }) => roles === undefined || roles.some(role => key.roles.includes(role)))
      .map(({ name }) => name)
    const seen = getProjectContext.output.parse(await answering.answer(getProjectContext, caller, {}, context))
    const heard = new Set(seen.agents.map(agent => agent.agent_name))
    // The list of agents is cut at its length; beyond it nothing can be said.
    const whole = seen.agents.length >= seen.agents_total
    const missing = whole ? key.allowed_agents.filter(name => !heard.has(name)) : []
    return { key, accepted: true, tools, agents_without_calls: missing, context: seen }
  }
}
