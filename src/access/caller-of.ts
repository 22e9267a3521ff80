import type { KeyRecord } from '../store/records/key.js'
import type { Admin } from './admin.js'
import type { AccessScope, Caller, Terms } from './caller.js'
import type { Teams } from './teams.js'
import { operator } from './operator.js'

/** What of a key says who asks and what they may hear. */
type KeyFields = Pick<
  KeyRecord,
  | 'key_id'
  | 'name'
  | 'project_id'
  | 'is_supervisor'
  | 'roles'
  | 'allowed_agents'
  | 'teams'
  | 'require_mapping'
  | 'text'
  | 'min_group'
  | 'requests_per_minute'
  | 'questions_per_day'
  | 'bytes_per_day'
  | 'processor_seconds_per_day'
  | 'tools'
  | 'read_only'
  | 'created_at'
  | 'kind'
  | 'changed_at'
  | 'expires_at'
  | 'allowed_networks'
>

/** The resolved authentication info of a key, as it and the teams it names stand at this request. */
export function callerOfKey(key: KeyFields, teams: Pick<Teams, 'find'>): Caller {
  const { since = key.created_at, agents, ...heard } = heardBy(key, teams)
  return {
    project_id: key.project_id,
    source: 'application_key',
    app_name: key.name,
    credential_id: key.key_id,
    access_scope: {
      is_supervisor: key.is_supervisor,
      roles: key.roles,
      ...agents,
      text: key.text ?? 'full',
      ...(key.min_group !== undefined && { min_group: key.min_group }),
      ...(key.tools !== undefined && { tools: key.tools }),
      ...(key.read_only === true && { read_only: true }),
    },
    terms: {
      since,
      ...(key.kind !== undefined && { kind: key.kind }),
      ...heard,
      ...(key.expires_at !== undefined && { until: key.expires_at }),
      ...(key.allowed_networks !== undefined && { networks: key.allowed_networks }),
      ...(key.requests_per_minute !== undefined && { requestsPerMinute: key.requests_per_minute }),
      ...budgetOf(key),
    },
  }
}

function budgetOf(key: KeyFields): Pick<Terms, 'budget'> {
  const { questions_per_day: questions, bytes_per_day: bytes, processor_seconds_per_day: seconds } = key
  const budget = {
    ...(questions !== undefined && { questions }),
    ...(bytes !== undefined && { bytes }),
    ...(seconds !== undefined && { work_ms: seconds * 1_000 }),
  }
  return Object.keys(budget).length === 0 ? {} : { budget }
}

/** Whom a key and its teams name. A key with teams hears nobody where there is nobody in them: it never widens. */
function heardBy({ allowed_agents: named, require_mapping: mapped, ...key }: KeyFields, teams: Pick<Teams, 'find'>) {
  const changed = [key.changed_at ?? key.created_at]
  if (key.teams === undefined || key.teams.length === 0)
    return { since: changed[0], agents: { allowed_agents: named, require_mapping: mapped } }
  const found = key.teams.map(id => ({ id, team: teams.find(key.project_id, id) }))
  const agents = new Set([...named, ...found.flatMap(({ team }) => team?.agents ?? [])])
  const scope: Pick<AccessScope, 'allowed_agents' | 'require_mapping'> = {
    allowed_agents: [...agents],
    require_mapping: true,
  }
  const terms: Pick<Terms, 'named' | 'teams'> = {
    named: named.length,
    teams: found.map(({ id, team }) => ({
      team_id: id,
      agents: team?.agents.length ?? 0,
      ...(team !== undefined && { name: team.name }),
    })),
  }
  for (const { team } of found) if (team !== undefined) changed.push(team.changed_at ?? team.created_at)
  return { since: changed.toSorted().at(-1), agents: scope, ...terms }
}

/** An administrator asking about a project: the full project, with the token's role. */
export function callerOfAdmin(admin: Admin, projectId: string): Caller {
  return {
    project_id: projectId,
    source: 'admin_token',
    app_name: admin.name,
    credential_id: admin.subject,
    access_scope: {
      is_supervisor: true,
      roles: [admin.role],
      allowed_agents: [],
      require_mapping: false,
      text: 'full',
    },
  }
}

/** The operator asking about a project, through a command. */
export function callerOfOperator(projectId: string): Caller {
  return { ...callerOfAdmin(operator, projectId), source: 'operator' }
}

/** Another product that sends calls of a project: a credential of the project's, which adds calls and hears none. */
export function callerOfWebhook(projectId: string, webhookId: string, name: string): Caller {
  return {
    project_id: projectId,
    source: 'application_key',
    app_name: name,
    credential_id: webhookId,
    access_scope: { is_supervisor: false, roles: [], allowed_agents: [], require_mapping: true, text: 'none' },
  }
}
