import type { Caller } from './caller.js'

/**
 * Whether a caller may add and erase calls, and see the project's tasks. An application key needs the role and the whole
 * project: one that hears only some agents could otherwise overwrite or erase calls it may not know of, and a run of a
 * task tells about all of them.
 */
export function overseesProject({ source, access_scope: scope }: Caller): boolean {
  if (source !== 'application_key') return true
  const fullProject = scope.allowed_agents.length === 0 && !scope.require_mapping
  return fullProject && scope.roles.some(role => role === 'Admin' || role === 'SuperAdmin')
}
