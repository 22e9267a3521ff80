import { Problem } from '../base/problem.js'
import type { Admin } from './admin.js'

/**
 * The project an administrator acts on. It is not looked up: whether a foreign one exists is nobody's business.
 * @param named the project the request names, if any
 * @throws Problem `forbidden`, or `invalid_input` for a SuperAdmin who names none
 */
export function projectOf(admin: Admin, named: string | undefined): string {
  if (admin.role === 'SuperAdmin') {
    const projectId = named ?? admin.current_project_id
    if (projectId === undefined) throw new Problem('invalid_input', 'Name the project in the header X-Project-Id')
    return projectId
  }
  const own = admin.current_project_id
  if (own === undefined || (named !== undefined && named !== own)) throw foreignProject()
  return own
}

/** The refusal of a credential that acts on another project. */
export function foreignProject(): Problem {
  return new Problem('forbidden', 'This credential does not act on that project')
}
