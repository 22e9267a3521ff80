/** Another database that holds the same calls in a table of its own. */
export interface OtherEngine {
  readonly name: 'PostgreSQL' | 'SQLite'
  /** The answer to a statement, and what it took there: of its processor, and until it was read here. */
  ask(sql: string): Promise<{ readonly rows: readonly object[]; readonly took: Took }>
  /** The whole call of an id. */
  readonly oneCall: (id: string) => string
  end(): Promise<void>
}

/** The calls that a database is filled with, unless it holds some. */
export interface CallsToHold {
  /** Makes their file, a record a line. */
  readonly file: () => Promise<string>
  /** How many copies of each, as `repeatCalls` makes them of our store. */
  readonly times: number
}

/** Milliseconds. */
export interface Took {
  readonly processor: number
  readonly wall: number
}

/** Fields of the record that `ask` of one call compares. */
export const ONE_CALL = ['title', 'score', 'signals', 'transcript'] as const
