import { type Scope, scope } from '../pipeline/scope.js'
import type { AccessScope, Caller } from './caller.js'

/**
 * The calls a caller may hear: the one place where a key's fields become a scope.
 *
 * `allowed_agents` narrows whenever it names someone, whatever `is_supervisor` says. Empty with `require_mapping` is no
 * calls at all (fail closed); empty without is the full project. `is_supervisor` alone grants nothing. Who is told of groups
 * alone hears no call by any way but the one that counts groups; an auditor hears none.
 */
export function scopeOf(caller: Caller): Scope {
  const { min_group: least, text } = caller.access_scope
  return least === undefined ? groupScopeOf(caller) : scope(caller.project_id, [], text)
}

/**
 * The same calls with their texts as they are, of a caller who sees them masked: for what masks what it reads before it is shown,
 * and of no text decides which calls.
 */
export function unmaskedScopeOf(caller: Caller): Scope {
  const { projectId, agents, text } = scopeOf(caller)
  if (text !== 'masked') throw new TypeError('Only texts that are shown masked are read so')
  return scope(projectId, agents)
}

/** Whether no field narrows which agents are heard. */
export function hearsFullProject({
  allowed_agents: agents,
  require_mapping: mapped,
}: Pick<AccessScope, 'allowed_agents' | 'require_mapping'>): boolean {
  return agents.length === 0 && !mapped
}

/** A key's fields as they are kept: teams stand beside the agents it names until somebody asks with it. */
interface KeptScope extends Pick<AccessScope, 'allowed_agents' | 'require_mapping'> {
  readonly teams?: readonly string[] | undefined
}

/** Whether a key hears the full project: it names no agent and no team, and asks for no mapping. */
export function isFullProject({ teams = [], ...key }: KeptScope): boolean {
  return teams.length === 0 && hearsFullProject(key)
}

/**
 * Whether a caller may add and erase calls, and see the project's tasks. An application key needs the role and the whole
 * project: one that hears only some agents could otherwise overwrite or erase calls it may not know of, and a run of a
 * task tells about all of them.
 */
export function overseesProject({ source, access_scope: scope }: Caller): boolean {
  if (source !== 'application_key') return true
  return hearsFullProject(scope) && scope.roles.some(role => role === 'Admin' || role === 'SuperAdmin')
}

/** Whether it reads the audit trail and no calls, whatever other roles it has. */
export function isAuditor({ roles }: Pick<AccessScope, 'roles'>): boolean {
  return roles.includes('Auditor')
}

/** The calls that groups are counted of: only for what tells of no group that is smaller than `min_group`. */
export function groupScopeOf(caller: Caller): Scope {
  const { allowed_agents: agents, text } = caller.access_scope
  if (isAuditor(caller.access_scope)) return scope(caller.project_id, [], text)
  return scope(caller.project_id, hearsFullProject(caller.access_scope) ? 'all' : agents, text)
}
