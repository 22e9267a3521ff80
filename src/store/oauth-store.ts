import { z } from 'zod'

/** What whoever let a client in left out for it: it holds beside all that narrows the key, at each request. */
export const narrowing = z.strictObject({
  agents: z.array(z.string()).readonly().exactOptional(),
  text: z.enum(['none', 'masked']).exactOptional(),
})
export type Narrowing = Readonly<z.output<typeof narrowing>>

/** What is kept of the sign-in of AI clients: which clients were let in, by whom, and with which refresh tokens. */
export type OAuthKind = 'Client' | 'Grant' | 'RefreshToken'

/** One of them. Whatever lets somebody in is in it as its hash only. */
export interface OAuthRecord {
  readonly kind: OAuthKind
  /** SHA-256 of its id, in hex: a refresh token's id is the token itself. */
  readonly id_hash: string
  /** What the authorization server wrote, without the id. */
  readonly payload: Readonly<Record<string, unknown>>
  /** Of a grant alone; absent: the client hears what the key hears. */
  readonly narrowing?: Narrowing
  /** ISO 8601 in UTC: no longer valid from then on. */
  readonly expires_at: string
}

/** One as its JSON. */
export const oauthRecord = z.strictObject({
  kind: z.enum(['Client', 'Grant', 'RefreshToken']),
  id_hash: z.string(),
  payload: z.record(z.string(), z.unknown()),
  narrowing: narrowing.exactOptional(),
  expires_at: z.string(),
}) satisfies z.ZodType<OAuthRecord>

/** What passes in minutes and may be asked of another process than made it. */
export type PassingKind = 'AuthorizationCode' | 'AccessToken'

/** One of them, as `OAuthRecord`. */
export interface PassingRecord {
  readonly kind: PassingKind
  readonly id_hash: string
  /** SHA-256 of the id of the grant that it goes with. */
  readonly grant_hash?: string | undefined
  readonly payload: Readonly<Record<string, unknown>>
  readonly expires_at: string
}

/** What passes between processes. */
export interface PassingStore {
  put(record: PassingRecord): Promise<void>
  /** Undefined once it is no longer valid; `consumed` is in its payload. */
  find(kind: PassingKind, hash: string): Promise<PassingRecord | undefined>
  /** Marks it as used, at so many seconds since 1970: one of all who do so at once is told `true`. */
  consume(kind: PassingKind, hash: string, at: number): Promise<boolean>
  remove(kind: PassingKind, hash: string): Promise<void>
  /** A refresh token as it is now: who refreshes often is not followed by everybody. */
  refreshToken(hash: string): Promise<OAuthRecord | undefined>
  /** Removes those of grants, by the hashes of their ids. */
  removeOf(grants: readonly string[]): Promise<void>
}

export interface OAuthStore {
  /** Absent where one process has the store: there it passes in memory. */
  readonly passing?: PassingStore
  /** In place of one of the same kind and hash. */
  put(record: OAuthRecord): Promise<void>
  remove(records: readonly Pick<OAuthRecord, 'kind' | 'id_hash'>[]): Promise<void>
  all(): Promise<readonly OAuthRecord[]>
}
