import type { Requester } from '../admission/requester.js'
import type { Caller } from './caller.js'

/** Who takes what is scarce when a caller asks. A key and an administrator are two, whatever they are called. */
export function requesterOf({ project_id: project, source, credential_id }: Caller): Requester {
  return { project, key: `${source} ${credential_id}` }
}
