import type { DuckDBConnection } from '@duckdb/node-api'
import type { Requester } from '../../../admission/requester.js'
import type { Problem } from '../../../base/problem.js'
import type { CompiledQuery, Document } from '../../../pipeline/index.js'
import { Deadline } from '../../deadline.js'
import type { Engine } from '../engine.js'
import { readRows } from './read-rows.js'
import { untilEnded } from './until-ended.js'

/** Longest an export may take, in milliseconds: what it reads is kept from being cleaned up meanwhile. */
const LONGEST_MS = 24 * 60 * 60 * 1000

/** More rows than there are. */
const ALL = Number.MAX_SAFE_INTEGER

/** Reads the documents of a query, as many at a time as the engine hands over. */
export type ReadQuery = (query: CompiledQuery) => AsyncGenerator<readonly Document[]>

interface StreamParts {
  readonly requester: Requester
  /** Called when the store closes: whoever reads this has to stop. */
  readonly end: (reason: Problem) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * What a reading of one or several queries comes to, all in a snapshot of one instant.
 */
export async function* streamDocuments(
  engine: Pick<Engine, 'lease'>,
  reading: (read: ReadQuery) => AsyncIterable<readonly Document[]>,
  { requester, end, signal }: StreamParts,
): AsyncGenerator<readonly Document[]> {
  const deadline = new Deadline(LONGEST_MS, signal)
  try {
    const lease = await engine.lease({ requester, deadline }, end)
    const { connection } = lease
    try {
      await connection.run('begin transaction')
      try {
        yield* reading(query => documentsOf(connection, query, deadline))
      } finally {
        await connection.run('rollback').catch(() => undefined)
      }
    } finally {
      lease.release()
    }
  } finally {
    deadline.dispose()
  }
}

async function* documentsOf(connection: DuckDBConnection, query: CompiledQuery, deadline: Deadline) {
  const rows = readRows(connection, query, ALL, deadline, () => undefined)
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- some rows after the others
      const next = await untilEnded(connection, deadline, () => rows.next())
      if (next.done === true) return
      yield next.value.map(row => query.decode(row)).filter(document => document !== undefined)
    }
  } finally {
    // What was left unread would keep its snapshot.
    await rows.return(undefined)
  }
}
