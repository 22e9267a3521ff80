import { callFields } from '../../src/calls/call-fields.js'
import { copyBefore } from '../service/made-store.js'

/** Another database that holds the same calls in a table of its own. */
export interface OtherEngine {
  readonly name: 'PostgreSQL' | 'SQLite'
  /** The answer to a statement, and what it took there: of its processor, and until it was read here. */
  ask(sql: string): Promise<{ readonly rows: readonly object[]; readonly took: Took }>
  /** The whole call of an id. */
  readonly oneCall: (id: string) => string
  end(): Promise<void>
}

/**
 * Fills the table `filled` with copies of the calls in `once`, in SQL, the oldest first.
 * @param earlier the time of a call so many days before, in the SQL of the database
 */
export function insertCopies(times: number, earlier: (days: number) => string): string {
  const inserts = Array.from({ length: times }, (_, copy) => {
    const { suffix, days } = copyBefore(copy, times)
    const changed: Readonly<Record<string, string>> = {
      session_id: `session_id || '${suffix}'`,
      created_dt: earlier(days),
    }
    return `insert into filled select ${callFields.map(({ name }) => changed[name] ?? name).join(', ')} from once;`
  })
  return inserts.join('\n')
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
