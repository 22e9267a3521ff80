import type { DayBudget } from '../admission/day-budgets.js'
import type { TextAccess } from '../pipeline/index.js'
import type { Narrowing } from '../store/oauth-store.js'

/** What a caller may hear and do, as its key (or token) says at this request. */
export interface AccessScope {
  readonly is_supervisor: boolean
  readonly roles: readonly string[]
  readonly allowed_agents: readonly string[]
  readonly require_mapping: boolean
  /** Whether it sees what customers said and who they are, or figures and categories alone. */
  readonly text: TextAccess
  /** It is told of groups of so many calls and more, and of no single call; absent: of every call. */
  readonly min_group?: number
  /** The questions it may ask, and nothing else; absent: all. */
  readonly tools?: readonly string[]
  /** It may change nothing. */
  readonly read_only?: true
}

/** The resolved authentication info: what every question sees of who asks. It never holds the token. */
export interface Caller {
  /** From the key document or the admin token, never from the request's arguments. */
  readonly project_id: string
  readonly source: 'application_key' | 'admin_token' | 'operator'
  /** The key's label, or the administrator's e-mail. */
  readonly app_name: string
  /** Identifies the credential (key_id, or the administrator's subject): cursors and audit lines name it. */
  readonly credential_id: string
  readonly access_scope: AccessScope
  /** What its key says beside its scope, for who asks why it hears what it hears; absent: it came with no key. */
  readonly terms?: Terms
  /** How often calls of the project, or words in them, were taken away by the time they asked; absent: never yet. */
  readonly takenAway?: number
}

/** Since when a key says what it says, and on what terms it is accepted. */
export interface Terms {
  readonly since: string
  readonly kind?: 'person'
  readonly until?: string
  readonly networks?: readonly string[]
  readonly requestsPerMinute?: number
  readonly budget?: DayBudget
  /** How many agents the key itself names, where it names teams too; their agents are in the scope. */
  readonly named?: number
  readonly teams?: readonly HeardTeam[]
  /** Of a client that was let in with the key: what was left out for it, and what the key says without that. */
  readonly connection?: ConnectionTerms & { readonly ofKey: AccessScope }
}

/** A client that somebody let in with a key, and what they left out for it. */
export interface ConnectionTerms {
  readonly since: string
  readonly narrowing?: Narrowing
}

/** A team that a key names, as it is at this request. */
export interface HeardTeam {
  readonly team_id: string
  /** Absent: there is no such team, or none any more. */
  readonly name?: string
  readonly agents: number
}
