import type { KeyView } from '../../store/records/key.js'

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
