import type { ActivityRecord } from '../../activity-record.js'
import { quoted } from '../column-type.js'
import type { JsonStructure } from './json-structure.js'

/** What `json_transform` reads each field as; the names are those of the table's columns. */
const STRUCTURE: Readonly<Record<keyof ActivityRecord, JsonStructure>> = {
  seq: 'BIGINT',
  // Read as a TIMESTAMP the engine would drop the offset.
  at: 'TIMESTAMPTZ',
  request_id: 'VARCHAR',
  source: 'VARCHAR',
  credential_id: 'VARCHAR',
  name: 'VARCHAR',
  project_id: 'VARCHAR',
  roles: ['VARCHAR'],
  transport: 'VARCHAR',
  page: 'VARCHAR',
  outcome: 'VARCHAR',
  code: 'VARCHAR',
  status: 'INTEGER',
  duration_ms: 'DOUBLE',
  rows: 'BIGINT',
  session_hashes: ['VARCHAR'],
  bytes: 'BIGINT',
}

const columns = Object.keys(STRUCTURE)

const valueOf = (column: string) => (column === 'at' ? 'e."at"::TIMESTAMP' : `e.${quoted(column)}`)

/** Adds the events of a JSON array ($1) that stand behind the position of the replay, in their order. */
export const insertActivity = `insert into activity (${columns.map(quoted).join(', ')})
select ${columns.map(valueOf).join(', ')}
from (select unnest(json_transform($1::JSON, '${JSON.stringify([STRUCTURE])}')) as e)
where e.seq > (select seq from activity_position)
order by e.seq`
