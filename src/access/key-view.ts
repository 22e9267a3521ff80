import type { KeyRecord } from '../store/records.js'

/** A key as reads show it: never the token, never its hash. */
export interface KeyView {
  readonly key_id: string
  /** The same value as key_id. */
  readonly id: string
  readonly name: string
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
  readonly expires_at?: string
}

/** A freshly minted key: the only place where the token appears, once. */
export interface MintedKey extends KeyView {
  readonly key: string
}

/** Names each field to show, so that a field added to the record stays unseen until someone decides. */
export function keyView(key: KeyRecord): KeyView {
  return {
    key_id: key.key_id,
    id: key.key_id,
    name: key.name,
    key_preview: key.key_preview,
    project_id: key.project_id,
    active: key.active,
    is_supervisor: key.is_supervisor,
    roles: key.roles,
    allowed_agents: key.allowed_agents,
    require_mapping: key.require_mapping,
    created_at: key.created_at,
    created_by: key.created_by,
    ...(key.last_used_at === undefined ? {} : { last_used_at: key.last_used_at }),
    ...(key.expires_at === undefined ? {} : { expires_at: key.expires_at }),
  }
}
