import type { Requester } from '../admission/requester.js'
import type { Admin } from './admin.js'
import type { Caller } from './caller.js'

/** Who takes what is scarce when a caller asks. A key and an administrator are two, whatever they are called. */
export function requesterOf({ project_id: project, source, credential_id }: Caller): Requester {
  return { project, key: `${source} ${credential_id}` }
}

/** Who takes what it costs to refuse somebody known. */
export function requesterRefused(who: Caller | Admin): Requester {
  return 'access_scope' in who ? requesterOf(who) : requesterOfAdmin(who)
}

/** Who takes it when an administrator acts; one of all projects stands for no project. */
export function requesterOfAdmin({ role, current_project_id, issuer, subject }: Admin): Requester {
  const project = role === 'Admin' ? (current_project_id ?? '') : ''
  return { project, key: `admin ${JSON.stringify([issuer ?? null, subject])}` }
}
