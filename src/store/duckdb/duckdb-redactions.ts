import { BIGINT, VARCHAR } from '@duckdb/node-api'
import { maskedFieldNames } from '../../calls/masked-fields.js'
import type { RedactionStore, StoredTexts, WrittenPlace } from '../store.js'
import { hasSession, jsonOf, recordStructure, textAssignments } from './call-columns.js'
import { markDaysWritten } from './counts/mark-days.js'
import { IS_HELD } from './duckdb-privacy.js'
import type { CallWriting, Reading } from './engine.js'
import { dropWordsAmong } from './words/drop-words.js'
import { writeNumber } from './files/store-position.js'
import { StagingTable } from './writing/staging-table.js'

const PAGE_CALLS = 256
const PAGE_MS = 60_000

const reworded = new StagingTable<StoredTexts>(
  'reworded',
  [
    { name: 'session_id', type: VARCHAR, of: call => call.session_id },
    { name: 'write', type: BIGINT, of: call => call.write },
  ],
  call => call.json,
)

const READ = ['language_primary', ...maskedFieldNames]
const RECORD = jsonOf(READ)

const FOUND = hasSession('e.session_id')

/** $1 project, $2 the number of this write; the least and the most number of those read are $3 and $4. */
const WRITE = `update calls set ${textAssignments(maskedFieldNames, '$2')}
from (select session_id, write, json_transform(decode(json), ${recordStructure}) as r from reworded) e
where calls.project_id = $1 and ${FOUND}
  and calls.write_number = e.write and calls.write_number >= $3 and calls.write_number <= $4 and not ${IS_HELD}
returning calls.session_id`

/** Hands out the texts of stored calls, and writes them masked. */
export class DuckDbRedactions {
  readonly #writer: CallWriting
  readonly #reader: Reading

  constructor(writer: CallWriting, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  async count(projectId: string): ReturnType<RedactionStore['countTexts']> {
    const [row] = await this.#reader.rows('select count(*), max(write_number) from calls where project_id = $1', [
      projectId,
    ])
    return { count: Number(row?.[0] ?? 0), last: BigInt((row?.[1] as bigint | null | undefined) ?? -1) }
  }

  async page(projectId: string, after: WrittenPlace | undefined, last: bigint): Promise<readonly StoredTexts[]> {
    const { write = -1n, session_id: id = '' } = after ?? {}
    // Where the page ends is found by two columns alone: sorting whole records would take the memory of all that is left.
    const places = await this.#reader.rows(
      `select write_number, session_id from calls where project_id = $1 and write_number >= $2 and write_number <= $4
         and (write_number > $2 or session_id > $3) order by 1, 2 limit ${PAGE_CALLS}`,
      [projectId, write, id, last],
      { deadlineMs: PAGE_MS },
    )
    const [first, end] = [places[0], places.at(-1)]
    if (first === undefined || end === undefined) return []
    const ids = places.map(([, session]) => String(session))
    const rows = await this.#reader.rows(
      `with picked as materialized (
         select write_number, session_id, ${READ.join(', ')} from calls where project_id = $1 and write_number >= $2
           and write_number <= $3 and session_id in (select unnest(from_json($4, '["VARCHAR"]'))))
       select write_number, session_id, ${RECORD} from picked order by 1, 2`,
      [projectId, first[0] as bigint, end[0] as bigint, JSON.stringify(ids)],
      { deadlineMs: PAGE_MS },
    )
    return rows.map(([number, session, json]) => ({
      write: number as bigint,
      session_id: String(session),
      json: String(json),
    }))
  }

  async write(projectId: string, calls: readonly StoredTexts[]): Promise<readonly string[]> {
    if (calls.length === 0) return []
    const numbers = calls.map(({ write }) => write)
    const [least, most] = [numbers.reduce((a, b) => (a < b ? a : b)), numbers.reduce((a, b) => (a > b ? a : b))]
    return await this.#writer.transaction(projectId, async connection => {
      await reworded.make(connection, calls)
      const number = await writeNumber(connection)
      const among = `${FOUND} and calls.write_number >= ${least} and calls.write_number <= ${most}`
      await dropWordsAmong(connection, projectId, { table: 'reworded e', found: among })
      const written = await connection.runAndReadAll(WRITE, [projectId, number, least, most])
      await connection.run('drop table reworded')
      await markDaysWritten(connection, projectId, number, least)
      return written.getRowsJS().map(([id]) => id as string)
    })
  }
}
