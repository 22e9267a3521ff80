import { callFields } from '../../src/calls/call-fields.js'
import type { FieldType } from '../../src/calls/field-type.js'
import { type CallsToHold, insertCopies, ONE_CALL, type OtherEngine } from './other-engine.js'
import { processorMs } from './processor-ms.js'
import { SpokenProcess } from './spoken-process.js'

const TYPES: Readonly<Record<FieldType['kind'], string>> = {
  string: 'text',
  double: 'real',
  int: 'integer',
  bool: 'integer',
  date: 'text',
  open: 'text',
  list: 'text',
  struct: 'text',
}

/** Columns that come back as JSON in a text. */
const PARTS = new Set(['p', 'worst', 'trust', 'signals', 'transcript'])

/**
 * SQLite by its command line, with half a gigabyte of its own and all of the file in its address space.
 * @param database its file
 */
export async function sqlite(database: string, calls: CallsToHold): Promise<OtherEngine> {
  const sqlite3 = new SpokenProcess('sqlite3', ['-bail', database], '.print')
  await sqlite3.tell('pragma cache_size = -524288;')
  await sqlite3.tell('pragma mmap_size = 17179869184;')
  const [there] = await sqlite3.tell(`select count(*) from sqlite_master where name = 'calls';`)
  if (there === '0') await fill(sqlite3, await calls.file(), calls.times)
  await sqlite3.tell('.mode json')
  const { pid } = sqlite3
  return {
    name: 'SQLite',
    oneCall: id => `select session_id as _id, ${ONE_CALL.join(', ')} from calls where session_id = '${id}'`,
    ask: async sql => {
      const [began, processor] = [performance.now(), processorMs(pid)]
      const text = (await sqlite3.tell(`${sql};`)).join('')
      const took = { wall: performance.now() - began, processor: processorMs(pid) - processor }
      const rows = text === '' ? [] : (JSON.parse(text) as Record<string, unknown>[])
      return { rows: rows.map(withParts), took }
    },
    end: () => sqlite3.end(),
  }
}

function withParts(row: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      PARTS.has(name) && typeof value === 'string' ? (JSON.parse(value) as unknown) : value,
    ]),
  )
}

async function fill(sqlite3: SpokenProcess, file: string, times: number): Promise<void> {
  const columns = callFields.map(
    ({ name, type }) => `${name} ${TYPES[type.kind]}${name === 'session_id' ? ' primary key' : ''}`,
  )
  await sqlite3.tell(`drop table if exists filled; drop table if exists once; drop table if exists staged;
    create table filled (${columns.join(', ')}); create table staged (line text);
    pragma journal_mode = off; pragma synchronous = off;`)
  // A sign that no JSON holds, so that a line is one value as it is.
  await sqlite3.tell(
    `.mode ascii\n.separator "\\002" "\\n"\n.import '${file.replaceAll("'", "''")}' staged\n.mode list`,
  )
  await sqlite3.tell(`create table once as select ${callFields.map(({ name }) => `line->>'$.${name}' as ${name}`).join(', ')} from staged;
    drop table staged;`)
  await sqlite3.tell(insertCopies(times, days => `strftime('%Y-%m-%dT%H:%M:%fZ', created_dt, '-${days} days')`))
  await sqlite3.tell(`drop table once; create index by_time on filled (created_dt); create index by_agent on filled (agent_name, created_dt);
    vacuum; analyze; alter table filled rename to calls;`)
}
