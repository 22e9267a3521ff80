import { z } from 'zod'
import type { SeenByKey } from '../../questions/key-as-seen.js'
import { table } from '../print.js'
import { keyLines } from './key-lines.js'

/** What of the project's orientation is shown here; --json has all of it. */
const context = z.object({
  volume: z.object({ calls: z.int(), first_call: z.string().optional(), last_call: z.string().optional() }),
  scope: z.object({ full_project: z.boolean() }),
  agents: z.array(z.object({ agent_name: z.string(), calls: z.int() })),
  agents_total: z.int(),
})

/** What a key may see, for a reader. */
export function seenLines(seen: SeenByKey): string {
  const { key, accepted, tools, agents_without_calls: missing } = seen
  if (!accepted) return `${keyLines(key)}\nThe key is revoked and sees nothing.\n`
  const { volume, scope, agents, agents_total: total } = context.parse(seen.context)
  const { first_call: first, last_call: last } = volume
  const span = first === undefined || last === undefined ? '' : `, ${first.slice(0, 10)} to ${last.slice(0, 10)}`
  const lines = [
    keyLines(key),
    `Sees             ${volume.calls} calls of ${total} agents${span}${scope.full_project ? ' (the full project)' : ''}`,
    `Tools            ${tools.join(', ')}`,
    ...(missing.length === 0 ? [] : [`Without calls    ${missing.join(', ')} (is the name written so in the calls?)`]),
    '',
  ].join('\n')
  if (agents.length === 0) return lines
  const rows = agents.map(agent => [agent.agent_name, String(agent.calls)])
  const more = total > agents.length ? `and ${total - agents.length} more\n` : ''
  return `${lines}\n${table(['Agent', 'Calls'], rows)}${more}`
}
