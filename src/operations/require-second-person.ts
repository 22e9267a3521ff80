import type { Admin } from '../access/admin.js'
import type { Approvals } from '../access/approvals.js'
import type { Caller } from '../access/caller.js'
import { Problem } from '../base/problem.js'
import type { Operation, Received } from './operation.js'

/**
 * Lets past what a second administrator confirmed. A key asks for nothing of the kind: nobody knows whose hands it is in.
 * @throws Problem `forbidden`
 */
export async function requireSecondPerson(
  approvals: Approvals,
  asked: Operation,
  request: Received,
  who: Admin | Caller,
): Promise<void> {
  if ('source' in who && who.source === 'application_key') {
    throw new Problem(
      'forbidden',
      'Here an administrator asks for this with an admin token, and a second one confirms it: a key can’t',
    )
  }
  const path = Object.fromEntries(
    [...asked.url.matchAll(/:(\w+)/g)].map(([, name = '']) => name).map(name => [name, request.param(name as never)]),
  )
  const what = {
    path,
    ...(asked.query !== undefined && { query: request.query() }),
    ...(asked.body !== undefined && { body: request.body() }),
  }
  const person =
    'source' in who ? { subject: who.credential_id, name: who.app_name } : { subject: who.subject, name: who.name }
  const projectId = 'project_id' in who ? who.project_id : (path['project_id'] ?? '')
  await approvals.use(projectId, { action: `${asked.method} ${asked.url}`, asked: what }, person)
}
