/** An administrator as a verified admin token names one. */
export interface Admin {
  /** The token's `sub`. */
  readonly subject: string
  /** The token's `iss`, where it has one. */
  readonly issuer?: string
  /** E-mail when the token carries one, else the subject: what `created_by` and the audit trail show. */
  readonly name: string
  readonly role: 'Admin' | 'SuperAdmin'
  /** When their token ends, milliseconds since 1970; absent of whom the identity provider signed in to the console. */
  readonly endsAt?: number
  /** The one project an Admin acts on; a SuperAdmin acts on any. */
  readonly current_project_id?: string
}
