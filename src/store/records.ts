/** See ProjectRecord. */
export const evaluationSettings = ['imported', 'rules', 'model'] as const
export type EvaluationSetting = (typeof evaluationSettings)[number]

/** A project: the wall around a set of calls. */
export interface ProjectRecord {
  readonly project_id: string
  readonly name: string
  /** IANA time zone in which days, weeks and months are cut. */
  readonly timezone: string
  /** Narrow the catalogs of signals and guidance; empty means all. */
  readonly verticals: readonly string[]
  /** Personal data is masked in all calls that come in; absent means no. */
  readonly redact?: boolean
  /**
   * How calls that come in without an evaluation get one: by rules as they come in (also when absent), by a language model
   * in a later run, or not at all (imported).
   */
  readonly evaluation?: EvaluationSetting
  readonly created_at: string
}

/** An application key as it is kept: the token itself is not, only its SHA-256. */
export interface KeyRecord {
  readonly key_id: string
  readonly name: string
  readonly key_hash: string
  readonly key_preview: string
  readonly project_id: string
  readonly active: boolean
  readonly is_supervisor: boolean
  readonly roles: readonly string[]
  readonly allowed_agents: readonly string[]
  readonly require_mapping: boolean
  readonly created_at: string
  readonly created_by: string
  readonly last_used_at?: string
  /** Set by a rotation: the instant from which the key is no longer accepted. */
  readonly expires_at?: string
}
