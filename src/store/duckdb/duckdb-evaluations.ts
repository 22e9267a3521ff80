import { type DuckDBValue, VARCHAR } from '@duckdb/node-api'
import { evaluatedFieldNames, fieldsReadToEvaluate } from '../../calls/evaluated-fields.js'
import type { CallsToEvaluate, CallToEvaluate, EvaluatedCall, EvaluationChoice, EvaluationPage } from '../store.js'
import { timestamp } from './reading/activity-where.js'
import { evaluatedAssignments, hasSession, inBlocksOf, jsonOf, recordStructure } from './call-columns.js'
import type { Reading, CallWriting } from './engine.js'
import { markDaysWritten } from './counts/mark-days.js'
import { dropWordsAmong } from './words/drop-words.js'
import { beforeUpsert } from './writing/note-calls.js'
import { stageIds } from './writing/stage-ids.js'
import { StagingTable } from './writing/staging-table.js'
import { writeNumber } from './files/store-position.js'

/** Places of rows looked at together: at some kilobytes a call a page stays within a few megabytes. */
const PAGE = 1_024n
/** Choosing looks at every call of the store once. */
const CHOOSE_MS = 120_000
const PAGE_MS = 60_000

const OURS = `coalesce(evaluation.evaluator in ('rules', 'model'), false)`
/** A record that brings readings of its own is evaluated, also where it doesn't say by whom. */
const PENDING = `(evaluation is null and score is null and predicted_csat is null
  and coalesce(len(scores), 0) = 0 and coalesce(len(dimensions), 0) = 0
  and coalesce(len(signals), 0) = 0 and coalesce(len(guidance), 0) = 0)`

/** $1 project, $2 rubric, $3 its version, $4 the beginning of the run, $5 the ids it is about, as JSON, or null. */
const CHOSEN: Readonly<Record<EvaluationChoice['which'], string>> = {
  pending: PENDING,
  stale: `(${PENDING} or (${OURS} and (evaluation.rubric is distinct from $2 or evaluation.rubric_version is distinct from $3)))`,
  all: `(${PENDING} or ${OURS})`,
  everything: 'true',
}
const isChosen = ({ which, only }: EvaluationChoice) =>
  `${only === undefined ? '$5::varchar is null' : `session_id in (select unnest(from_json($5, '["VARCHAR"]')))`} and project_id = $1 and ($2 is not null and $3 is not null) and ${CHOSEN[which]}
   and not (${OURS} and coalesce(evaluation.evaluated_at >= $4, false))`

const INSTANT = "'%Y-%m-%dT%H:%M:%S.%gZ'"
const EVALUATION = `case when evaluation is null then null
  else {'evaluator': evaluation.evaluator, 'rubric': evaluation.rubric, 'rubric_version': evaluation.rubric_version} end`
const READ = [...new Set([...fieldsReadToEvaluate, 'created_dt', 'evaluation'])]
const RECORD = jsonOf(fieldsReadToEvaluate, {
  created_dt: `strftime(created_dt, ${INSTANT})`,
  evaluation: EVALUATION,
})
/** Changes with everything that an evaluation reads or replaces, but for what no evaluation looks at. */
const SEEN = 'hash(calls.transcript, calls.session_metadata, calls.evaluation, calls.score)::varchar'

const FOUND = hasSession('e.session_id')

/** $1 project, $2 to $3 the writes that put the calls there: without them it would read every transcript of the project; $4 this write's number. */
const WRITE = `update calls set ${evaluatedAssignments(evaluatedFieldNames, '$4')}
from (select session_id, seen, json_transform(decode(json), ${recordStructure}) as r from evaluated) e
where calls.project_id = $1 and ${FOUND} and ${SEEN} = e.seen
  and calls.write_number >= $2 and calls.write_number <= $3`

const evaluated = new StagingTable<EvaluatedCall>(
  'evaluated',
  [
    { name: 'session_id', type: VARCHAR, of: call => call.session_id },
    { name: 'seen', type: VARCHAR, of: call => call.seen },
  ],
  call => call.json,
)

/** Hands out the calls an evaluation is to read, and writes what it found. */
export class DuckDbEvaluations {
  readonly #writer: CallWriting
  readonly #reader: Reading
  readonly #noted: () => void

  constructor(writer: CallWriting, reader: Reading, noted: () => void) {
    this.#writer = writer
    this.#reader = reader
    this.#noted = noted
  }

  async choose(projectId: string, choice: EvaluationChoice): Promise<CallsToEvaluate> {
    const values = valuesOf(projectId, choice)
    const chosen = `from calls where ${isChosen(choice)}`
    const { sample } = choice
    const [found] =
      sample === undefined
        ? await this.#reader.rows(`select count(*), min(rowid), max(rowid), null ${chosen}`, values, {
            deadlineMs: CHOOSE_MS,
          })
        : await this.#reader.rows(
            // The key is a hash of the id: the smallest ones are a sample.
            `select count(*), min(place), max(place), max(session_key) from
               (select rowid as place, session_key ${chosen} order by session_key limit $6)`,
            [...values, sample],
            { deadlineMs: CHOOSE_MS },
          )
    const [count, first, last, lastKey] = found ?? []
    return {
      choice,
      count: Number(count ?? 0),
      first: bigint(first) ?? 0n,
      last: bigint(last) ?? -1n,
      lastKey: bigint(lastKey),
    }
  }

  async page(projectId: string, { choice, last, lastKey }: CallsToEvaluate, from: bigint): Promise<EvaluationPage> {
    if (from > last) return { calls: [], next: undefined }
    const end = from + PAGE - 1n < last ? from + PAGE - 1n : last
    const rows = await this.#reader.rows(
      `with picked as materialized (
         select write_number, ${SEEN} as seen, ${READ.join(', ')} from calls
         where rowid >= $6 and rowid <= $7 and ${inBlocksOf('$6', '$7')} and ${isChosen(choice)} and ($8::ubigint is null or session_key <= $8::ubigint))
       select session_id, ${RECORD}, seen, write_number from picked`,
      [...valuesOf(projectId, choice), from, end, lastKey ?? null],
      { deadlineMs: PAGE_MS },
    )
    const calls = rows.map(([id, json, seen, write]): CallToEvaluate => {
      return { session_id: String(id), json: String(json), seen: String(seen), write: bigint(write) ?? 0n }
    })
    return { calls, next: end < last ? end + 1n : undefined }
  }

  async write(projectId: string, calls: readonly EvaluatedCall[]): Promise<number> {
    const [first, ...others] = calls.map(({ write }) => write)
    if (first === undefined) return 0
    const from = others.reduce((least, write) => (write < least ? write : least), first)
    const to = others.reduce((most, write) => (write > most ? write : most), first)
    let noted = false
    const written = await this.#writer.transaction(projectId, async connection => {
      await stageIds(
        connection,
        'incoming',
        calls.map(({ session_id: id }) => id),
      )
      // Where they are written they stand under a later number.
      const found = `${hasSession('incoming.session_id')} and calls.write_number >= ${from}`
      const notes = await beforeUpsert(connection, projectId, found)
      await evaluated.make(connection, calls)
      const number = await writeNumber(connection)
      const among = `${FOUND} and calls.write_number >= ${from} and calls.write_number <= ${to}`
      await dropWordsAmong(connection, projectId, { table: 'evaluated e', found: among })
      const { rowsChanged } = await connection.run(WRITE, [projectId, from, to, number])
      await markDaysWritten(connection, projectId, number, from)
      noted = (await notes?.note()) ?? false
      return rowsChanged
    })
    if (noted) this.#noted()
    return written
  }
}

function valuesOf(projectId: string, { rubric, rubricVersion, before, only }: EvaluationChoice): DuckDBValue[] {
  return [projectId, rubric, rubricVersion, timestamp(before), only === undefined ? null : JSON.stringify(only)]
}

function bigint(value: unknown): bigint | undefined {
  return typeof value === 'bigint' || typeof value === 'number' ? BigInt(value) : undefined
}
