/** Where a mapped field comes from. */
export type MapSource =
  /** The same text for every call. */
  | { readonly from: 'constant'; readonly value: string }
  /** A place in the source, as names and positions. */
  | { readonly from: 'path'; readonly steps: readonly (string | number)[]; readonly optional: boolean }
  /** Something of the file: its name without ending, its folder's name, its path, or the time in its name. */
  | { readonly from: 'file'; readonly what: FileFact }

export const fileFacts = ['@file', '@folder', '@path', '@file_time'] as const
export type FileFact = (typeof fileFacts)[number]

/** One `--map TARGET=SOURCE`. Plain data: it goes to the workers. */
export interface MapRule {
  /** Field of the call record, such as `agent_name` or `session_metadata.store_id`, or `turn.…` of a table of turns. */
  readonly target: string
  /** As it was written, for errors. */
  readonly written: string
  readonly source: MapSource
  /** Only where the source says nothing of it. */
  readonly otherwise?: boolean
}
