import { z } from 'zod'
import { label } from '../base/label.js'
import { printable } from '../base/printable.js'
import type { Admin } from './admin.js'

// Claims that are not ours (aud, iat, jti, scopes …) are none of our business, so the object is open.
const claims = z.object({
  sub: label(200),
  // Where it is required, it was compared before.
  iss: z.string().nullish().catch(undefined),
  email: label(320).nullish(),
  role: z.enum(['Admin', 'SuperAdmin']),
  current_project_id: printable(64).nullish(),
})

/** The administrator a verified token's claims name; undefined when they name none. */
export function adminOfClaims(payload: object): Admin | undefined {
  const { data } = claims.safeParse(payload)
  if (data === undefined) return undefined
  return {
    subject: data.sub,
    ...(typeof data.iss === 'string' ? { issuer: data.iss } : {}),
    name: data.email ?? data.sub,
    role: data.role,
    ...(typeof data.current_project_id === 'string' ? { current_project_id: data.current_project_id } : {}),
  }
}
