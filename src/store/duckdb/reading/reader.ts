import type { DuckDBValue } from '@duckdb/node-api'
import type { Problem } from '../../../base/problem.js'
import type { CompiledQuery } from '../../../pipeline/index.js'
import type { Lane, StoreLoad } from '../../store.js'
import { type ConnectionLane, type LaneWork, type Lease, THE_STORE, type Turn } from './connection-lane.js'
import { Deadline, type TimeLeft } from '../../deadline.js'
import { allRows } from './read-rows.js'
import { type QueryResult, runQuery } from './run-query.js'
import { untilEnded } from './until-ended.js'

export interface QueryOptions {
  readonly lane: Lane
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until the query is interrupted, waiting included. */
  readonly deadlineMs: number
  /** Most rows that come back. */
  readonly maxRows: number
}

/** Milliseconds for the store's own small questions. */
const OWN_DEADLINE_MS = 5_000

/** For what is read whole when a service starts, which is to start on however busy a machine. */
export const AT_A_START = { deadlineMs: 60_000 } as const

/** The two lanes of queries, and one for who reads a whole project at the pace of its client. */
type Lanes = Readonly<Record<Lane | 'bulk', ConnectionLane>>

/** Runs queries in lanes, so that light ones never wait behind heavy ones, and none behind an export. */
export class Reader {
  readonly #lanes: Lanes

  constructor(lanes: Lanes) {
    this.#lanes = lanes
  }

  /** Runs work on a connection of a lane. Rejects with a Problem when too many wait, or the deadline ends. */
  with<T>(lane: Lane, turn: Turn, work: LaneWork<T>): Promise<T> {
    return this.#lanes[lane].with(turn, work)
  }

  /** A connection for reading much, until it is released; `end` is called when it has to be. */
  lease(turn: Turn, end: (reason: Problem) => void): Promise<Lease> {
    return this.#lanes.bulk.lease(turn, end)
  }

  /** Rejects with a Problem when too many wait, the deadline passes or the asker goes away. */
  async query(query: CompiledQuery, options: QueryOptions): Promise<QueryResult> {
    const deadline = Deadline.of(options)
    try {
      return await this.with(options.lane, { requester: THE_STORE, deadline }, connection =>
        runQuery(connection, query, options.maxRows, deadline),
      )
    } finally {
      deadline.dispose()
    }
  }

  /** Every row of one of the store's own small questions, in the light lane. @param project whose turn it is; the store's own by default */
  async rows(
    sql: string,
    values: DuckDBValue[] = [],
    { deadlineMs = OWN_DEADLINE_MS, limitMs, signal, project }: Partial<TimeLeft> & { readonly project?: string } = {},
  ): Promise<readonly unknown[][]> {
    const deadline = Deadline.of({ deadlineMs, limitMs, signal })
    try {
      const requester = project === undefined ? THE_STORE : { project, key: '' }
      return await this.#lanes.light.with({ requester, deadline }, connection =>
        untilEnded(connection, deadline, () => allRows(connection, sql, values)),
      )
    } finally {
      deadline.dispose()
    }
  }

  /** Whether somebody reads at the pace of their client. */
  get isLeased(): boolean {
    return this.#lanes.bulk.load.running > 0
  }

  get load(): StoreLoad['lanes'] {
    return { light: this.#lanes.light.load, heavy: this.#lanes.heavy.load }
  }

  /** Ends what runs and waits, with the reason as its failure; then closes the connections. */
  async close(reason?: Problem): Promise<void> {
    await Promise.all(Object.values(this.#lanes).map(lane => lane.close(reason)))
  }
}
