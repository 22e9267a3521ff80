import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { once } from 'node:events'
import { callFields } from '../../src/calls/call-fields.js'
import type { FieldType } from '../../src/calls/field-type.js'
import { type CallsToHold, insertCopies, ONE_CALL, type OtherEngine } from './other-engine.js'
import { processorMs } from './processor-ms.js'
import { SpokenProcess } from './spoken-process.js'

const TYPES: Readonly<Record<FieldType['kind'], string>> = {
  string: 'text',
  double: 'double precision',
  int: 'integer',
  bool: 'boolean',
  date: 'timestamptz',
  open: 'jsonb',
  list: 'jsonb',
  struct: 'jsonb',
}

/**
 * A server of PostgreSQL on this machine, by psql, whose memory is what its operator gave it. A statement is asked without parallel
 * workers, whose processor time nobody could tell, and without compiling, which takes longer than it gives here.
 * @param address as psql takes it, such as `host=/tmp/pg dbname=bench`
 */
export async function postgres(address: string, calls: CallsToHold): Promise<OtherEngine> {
  const psql = new SpokenProcess('psql', ['-XqAt', '-v', 'ON_ERROR_STOP=1', address], '\\echo')
  await psql.tell(
    `set max_parallel_workers_per_gather = 0; set jit = off; set work_mem = '256MB'; set client_min_messages = warning;`,
  )
  const [there] = await psql.tell(`select to_regclass('calls');`)
  if (there === '') await fill(psql, address, await calls.file(), calls.times)
  const [backend] = await psql.tell('select pg_backend_pid();')
  const pid = Number(backend)
  return {
    name: 'PostgreSQL',
    oneCall: id => `select session_id as _id, ${ONE_CALL.join(', ')} from calls where session_id = '${id}'`,
    ask: async sql => {
      const [began, processor] = [performance.now(), processorMs(pid)]
      const lines = await psql.tell(`select row_to_json(q) from (${sql}) as q;`)
      const took = { wall: performance.now() - began, processor: processorMs(pid) - processor }
      return { rows: lines.map(line => JSON.parse(line) as object), took }
    },
    end: () => psql.end(),
  }
}

async function fill(psql: SpokenProcess, address: string, file: string, times: number): Promise<void> {
  const columns = callFields.map(({ name, type }) => `${name} ${TYPES[type.kind]}`)
  await psql.tell(`drop table if exists filled; drop table if exists once; drop table if exists staged;
    create unlogged table filled (${columns.join(', ')}); create unlogged table staged (line text);`)
  // Signs that no JSON holds, so that a line is one value as it is.
  const copy = `copy staged from stdin (format csv, quote e'\\x01', delimiter e'\\x02')`
  const copying = spawn('psql', ['-Xq', address, '-c', copy], { stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = once(copying, 'close')
  await pipeline(createReadStream(file), copying.stdin)
  const [status] = (await ended) as [number]
  if (status !== 0) throw new Error(`psql ended with ${status}`)
  await psql.tell(`create unlogged table once as select call.* from staged, jsonb_populate_record(null::filled, line::jsonb) as call;
    drop table staged;`)
  await psql.tell(insertCopies(times, days => `created_dt - interval '24 hours' * ${days}`))
  await psql.tell(`drop table once; alter table filled add primary key (session_id);
    create index on filled (created_dt); create index on filled (agent_name, created_dt);`)
  await psql.tell('vacuum analyze filled;')
  await psql.tell('alter table filled rename to calls;')
}
