import { normalName } from '../../base/text.js'
import { type Complete, firstOf } from '../completion.js'
import { agentKind } from '../kinds.js'
import { namesInScope } from '../names-in-scope.js'

/** Most agents that are looked through; a project has hundreds. */
const MOST_AGENTS = 100_000

/** Names of agents in scope that contain what was typed, in any case: those that begin with it first, then by calls. */
export const completeAgentName: Complete = async (asker, typed) => {
  const names = await namesInScope(asker, agentKind, MOST_AGENTS)
  const sought = normalName(typed).toLowerCase()
  const begins = (name: string) => name.toLowerCase().startsWith(sought)
  const contains = (name: string) => name.toLowerCase().includes(sought)
  return firstOf([...names.filter(begins), ...names.filter(name => !begins(name) && contains(name))])
}
