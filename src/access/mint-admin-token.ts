import { SignJWT } from 'jose'
import { secretKey } from './admin-tokens.js'
import type { Admin } from './admin.js'

const HOUR_S = 3_600

export interface AdminTokenFields {
  readonly subject: string
  readonly email?: string
  readonly role: Admin['role']
  /** The one project an Admin acts on. */
  readonly projectId?: string
  /** Seconds until it expires; one hour by default. */
  readonly lifetimeS?: number
}

/** Signs an admin token with the service's secret (HS256). @throws Error when the secret has fewer than 32 bytes */
export function mintAdminToken(secret: string, fields: AdminTokenFields, now: number = Date.now()): Promise<string> {
  const issuedAt = Math.floor(now / 1000)
  const claims = {
    role: fields.role,
    ...(fields.email === undefined ? {} : { email: fields.email }),
    ...(fields.projectId === undefined ? {} : { current_project_id: fields.projectId }),
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(fields.subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + (fields.lifetimeS ?? HOUR_S))
    .sign(secretKey(secret))
}
