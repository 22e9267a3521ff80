/** Kinds of records that every process keeps in memory, and has to read anew when another changed them. */
export type RecordKind =
  | 'keys'
  | 'projects'
  | 'teams'
  | 'rubrics'
  | 'webhooks'
  | 'alerts'
  | 'tasks'
  | 'mappings'
  | 'inbound_webhooks'
  | 'connections'
  | 'knowledge'
  | 'deliveries'

/** Numbers that rise with each change of a kind of record, whoever makes it. */
export interface Versions {
  /** All kinds at once, one round trip. The embedded store says an empty map: nobody else changes it. */
  read(): Promise<ReadonlyMap<string, number>>
}

/** Of a store that nobody else changes. */
export const nobodyElse: Versions = { read: async () => new Map() }
