import { quoted } from './column-type.js'
import { sessionKey } from './call-columns.js'
import type { Reading, Writing } from './engine.js'
import { movedRow, type MovedPart, type MovedRow, type MovedRows } from '../moved-rows.js'
import type { JsonStructure } from './writing/json-structure.js'

/** Rows that are read together; places of rows that are gone stay empty. */
const ROWS = 4_096

interface Table<P extends MovedPart> {
  readonly table: string
  /** Of it these rows alone. */
  readonly where?: string
  /** Each field of a row: what it is read as from JSON, and where it is no column of that name, how it is read. */
  readonly fields: Readonly<Record<keyof MovedRow<P>, How>>
  /** Columns and the values they are given, where they are others than the fields; `e` is the row. */
  readonly written?: Readonly<Record<string, string>>
}

const ISO = (column: string) => `strftime(${column}, '%Y-%m-%dT%H:%M:%S.%gZ')`
const ABOUT_CALL = { project_id: 'VARCHAR', session_id: 'VARCHAR' } as const

const TABLES: { readonly [P in MovedPart]: Table<P> } = {
  erasure_secrets: {
    table: 'secrets',
    where: `name = 'erasure'`,
    fields: { secret: 'VARCHAR' },
    written: { name: `'erasure'`, secret: 'e.secret' },
  },
  erased_calls: { table: 'erased_calls', fields: { project_id: 'VARCHAR', session_hash: 'VARCHAR' } },
  erasures: {
    table: 'erasures',
    fields: {
      project_id: 'VARCHAR',
      erased_at: ['VARCHAR', `record->>'erased_at'`],
      erased_by: ['VARCHAR', `record->>'erased_by'`],
      how: ['VARCHAR', `record->>'how'`],
      calls: ['INTEGER', `(record->>'calls')::INTEGER`],
    },
    written: {
      project_id: 'e.project_id',
      erased_at: 'e.erased_at::TIMESTAMPTZ::TIMESTAMP',
      record: 'to_json({erased_at: e.erased_at, erased_by: e.erased_by, how: e.how, calls: e.calls})',
    },
  },
  inbound_taken: {
    table: 'inbound_taken',
    fields: { webhook_id: 'VARCHAR', digest: 'VARCHAR', taken_at: ['VARCHAR', ISO('taken_at')] },
    written: { webhook_id: 'e.webhook_id', digest: 'e.digest', taken_at: 'e.taken_at::TIMESTAMPTZ::TIMESTAMP' },
  },
  report_calls: { table: 'report_calls', fields: { ...ABOUT_CALL, file: 'VARCHAR' } },
  model_answers: {
    table: 'model_answers',
    fields: { ...ABOUT_CALL, request: 'VARCHAR', answer: ['VARCHAR', 'answer::VARCHAR'] },
    written: {
      project_id: 'e.project_id',
      session_key: sessionKey('e.session_id'),
      session_id: 'e.session_id',
      request: 'e.request',
      answer: 'e.answer',
    },
  },
  noted_calls: { table: 'noted_calls', fields: ABOUT_CALL },
  event_deliveries: {
    table: 'event_deliveries',
    fields: {
      seq: 'BIGINT',
      delivery_id: 'VARCHAR',
      project_id: 'VARCHAR',
      webhook_id: 'VARCHAR',
      event_id: 'VARCHAR',
      event: 'VARCHAR',
      subject: 'VARCHAR',
      body: 'VARCHAR',
      state: 'VARCHAR',
      attempts: 'INTEGER',
      created_at: 'VARCHAR',
      expires_at: 'VARCHAR',
      next_at: 'VARCHAR',
      attempted_at: 'VARCHAR',
      status: 'INTEGER',
      failure: 'VARCHAR',
      duration_ms: 'DOUBLE',
    },
  },
}

/** What moves row by row, in the tables of the embedded store. */
export class DuckDbMovedRows implements MovedRows {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  async *read<P extends MovedPart>(part: P): AsyncGenerator<readonly MovedRow<P>[]> {
    const { table, where = 'true', fields } = TABLES[part] as Table<MovedPart>
    const read = Object.entries<How>(fields)
      .map(([name, how]) => `${quoted(name)}: ${readAs(name, how)}`)
      .join(', ')
    const [last] = await this.#reader.rows(`select max(rowid) from ${table}`)
    const end = BigInt((last?.[0] ?? -1n) as bigint | number)
    for (let from = 0n; from <= end; from += BigInt(ROWS)) {
      // oxlint-disable-next-line no-await-in-loop -- some after the others
      const rows = await this.#reader.rows(
        `select to_json({${read}})::VARCHAR from ${table} where rowid >= $1 and rowid < $2 and ${where} order by rowid`,
        [from, from + BigInt(ROWS)],
      )
      if (rows.length > 0) yield rows.map(([json]) => movedRow(part, JSON.parse(String(json)) as object))
    }
  }

  async replace<P extends MovedPart>(part: P, rows: AsyncIterable<readonly MovedRow<P>[]>): Promise<void> {
    const { table, where = 'true', fields, written } = TABLES[part] as Table<MovedPart>
    const structure = Object.fromEntries(Object.entries<How>(fields).map(([name, how]) => [name, typeOf(how)]))
    const values = written ?? Object.fromEntries(Object.keys(fields).map(name => [name, `e.${quoted(name)}`]))
    const insert = `insert into ${table} (${Object.keys(values).map(quoted).join(', ')})
      select ${Object.values(values).join(', ')}
      from (select unnest(json_transform($1::JSON, '${JSON.stringify([structure])}')) as e)`
    await this.#writer.transaction(connection => connection.run(`delete from ${table} where ${where}`))
    for await (const some of rows) {
      if (some.length > 0) await this.#writer.transaction(connection => connection.run(insert, [JSON.stringify(some)]))
    }
  }
}

type How = JsonStructure | readonly [JsonStructure, string]
const isRead = (how: How): how is readonly [JsonStructure, string] => Array.isArray(how) && how.length === 2
const readAs = (name: string, how: How): string => (isRead(how) ? how[1] : quoted(name))
const typeOf = (how: How): JsonStructure => (isRead(how) ? how[0] : how)
