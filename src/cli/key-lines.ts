import { z } from 'zod'
import type { SeenByKey } from '../questions/key-as-seen.js'
import type { KeyView, MintedKey } from '../store/records/key.js'
import { table } from './print.js'

/** A key for a reader. */
export function keyLines(key: KeyView): string {
  return [
    `Key              ${key.key_id}`,
    `Name             ${key.name}`,
    `Project          ${key.project_id}`,
    `Token            ${key.key_preview}`,
    `Active           ${key.active ? 'yes' : 'no'}`,
    `Roles            ${key.roles.length === 0 ? 'none' : key.roles.join(', ')}`,
    `Agents it hears  ${agentsHeard(key)}`,
    `Supervisor       ${key.is_supervisor ? 'yes' : 'no'}`,
    `Mapping          ${key.require_mapping ? 'required' : 'not required'}`,
    ...(key.text === 'none' ? ['Text             none: no transcripts, quotes, titles, names of customers'] : []),
    ...(key.min_group === undefined ? [] : [`Groups           of ${key.min_group} calls and more only`]),
    ...(key.allowed_networks === undefined ? [] : [`Accepted from    ${key.allowed_networks.join(', ')}`]),
    `Created          ${key.created_at} by ${key.created_by}`,
    ...(key.last_used_at === undefined ? [] : [`Last used        ${key.last_used_at}`]),
    ...(key.expires_at === undefined || !key.active ? [] : [`Accepted until   ${key.expires_at}`]),
    '',
  ].join('\n')
}

function agentsHeard({ allowed_agents, require_mapping }: KeyView): string {
  if (allowed_agents.length > 0) return allowed_agents.join(', ')
  return require_mapping ? 'none, until some are named' : 'all'
}

/** A new key for a reader, with the one sight of its token; where it names agents, how to see that they are the right ones. */
export function mintedLines(key: MintedKey): string {
  const shown = `${keyLines(key)}\n${key.key}\n\nThis is the only time the token is shown.\n`
  if (key.allowed_agents.length === 0) return shown
  return `${shown}Names are compared as they are spelled; what the key hears: earshot keys show ${key.key_id} --project ${key.project_id} --as-seen\n`
}

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
  if (seen.context === undefined)
    return `${keyLines(key)}Tools            ${tools.join(', ')}, and GET /api/v1/groups\n`
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
