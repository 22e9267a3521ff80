import type { DuckDBConnection } from '@duckdb/node-api'
import type { LiftPage, LiftQuery, PlacedLift } from '../lift-store.js'
import type { LiftFitRecord } from '../records/lift-fit.js'
import type {
  CallsToEvaluate,
  CallStore,
  ErasureNote,
  EvaluatedCall,
  EvaluationChoice,
  OlderOptions,
  PreparedCall,
  PreviewedCall,
  StoredTexts,
  UpsertPreview,
  UpsertResult,
  WrittenPlace,
} from '../store.js'
import { CALL_SUBJECT } from '../event-store.js'
import { timestamp } from './reading/activity-where.js'
import { hasSession, insertCalls, searchTextWithoutTranscript } from './call-columns.js'
import { HELD_AMONG, IS_HELD } from './duckdb-privacy.js'
import { DuckDbLifts } from './duckdb-lifts.js'
import type { CallWriting, Engine, Reading } from './engine.js'
import { countedParts } from '../counted-parts.js'
import { blocksOf } from '../day-blocks.js'
import { countedDays, isOutside } from './counts/listed-days.js'
import { markDaysWritten, markOpenDaysOf } from './counts/mark-days.js'
import { isOfBlocks } from './counts/stale-counts.js'
import { beforeLeaving } from './writing/before-leaving.js'
import { dropWordsAmong } from './words/drop-words.js'
import { beforeUpsert } from './writing/note-calls.js'
import {
  ANYWHERE,
  type FirstOf,
  type PlacedJudgement,
  judgePlaced,
  type ReadRows,
  renameCalls,
} from './writing/placed-calls.js'
import { overStaged } from './writing/stage-calls.js'
import { forgetAnswers } from './duckdb-model-answers.js'
import { DuckDbEvaluations } from './duckdb-evaluations.js'
import { DuckDbRedactions } from './duckdb-redactions.js'
import { dropEntries, firstNumberOf } from './sessions/session-runs.js'
import { stageIds } from './writing/stage-ids.js'
import { writeNumber } from './files/store-position.js'

/** Calls that are unpacked in memory at once: so many of the usual size, fewer where they are long. */
const SLICE_CALLS = 512
const SLICE_BYTES = 4 * 1024 * 1024

/** Of JSON, on the average of a batch and at most. */
const USUAL_BYTES = 10 * 1024
const USUAL_LONGEST = 512 * 1024
/** Calls whose average tells nothing. */
const TOO_FEW_CALLS = 64

/** Rows of `calls` whose ids are in a table of ids. */
const isAmong = (table: string) => hasSession(`${table}.session_id`)

async function firstOfStaged(connection: DuckDBConnection, projectId: string, ids: readonly string[]): Promise<bigint> {
  await stageIds(connection, 'sought', ids)
  return await firstNumberOf(connection, projectId, { table: 'sought', ids: 'session_id' })
}

/** The same in a statement that passes over blocks in which none of them is. */
async function amongStanding(connection: DuckDBConnection, projectId: string, table: string): Promise<string> {
  const first = await firstNumberOf(connection, projectId, { table, ids: 'session_id' })
  return `${isAmong(table)} and calls.write_number >= ${first}`
}

/** Whether a row keeps something that was said. */
const HAS_SPEECH = `(transcript is not null or recording_url is not null
  or len(list_filter(signals, lambda s: s.evidence is not null)) > 0
  or len(list_filter(guidance, lambda g: g.evidence is not null)) > 0
  or len(list_filter(conditions, lambda c: c.text is not null)) > 0)`

/** Tables that keep something about calls, beside deliveries. */
const ABOUT_CALLS = ['noted_calls', 'feedback', 'report_calls', 'model_answers', 'model_batch_calls'] as const

/** The keyed hash an erased id is remembered by; $1 is the project (no colon in it), $2 the secret. */
const erasedHash = (id: string) => `sha256($2 || ':' || $1 || ':' || ${id})`

/** Ids and the names that calls had before them, $3 as JSON; see namesOf. */
const NAMES = `select unnest(json_transform($3::JSON, '[{"id":"VARCHAR","name":"VARCHAR"}]'), recursive := true)`
const ERASED = `${erasedHash('name')} in (select session_hash from erased_calls where project_id = $1)`

/** The ids of calls, each with the names by which it may have been erased. */
function namesOf(calls: Iterable<PreviewedCall>): readonly { readonly id: string; readonly name: string }[] {
  return [...calls].flatMap(({ session_id: id, placed }) => [
    { id, name: id },
    ...(placed?.bare === undefined ? [] : [{ id, name: placed.bare }]),
  ])
}

/** Ids of calls that come in and would replace, or rename, one that a hold keeps as it is. */
async function heldOf(
  read: ReadRows,
  projectId: string,
  calls: ReadonlyMap<string, PreviewedCall>,
  renamed: PlacedJudgement['renamed'],
  firstOf: FirstOf,
): Promise<readonly string[]> {
  const holds = await read('select 1 from held where project_id = $1 limit 1', [projectId])
  if (holds.length === 0) return []
  const becomes = new Map([...renamed].map(([to, from]) => [from, to]))
  const ids = [...calls.keys(), ...becomes.keys()]
  const rows = await read(HELD_AMONG, [projectId, JSON.stringify(ids), await firstOf(ids)])
  return [...new Set(rows.map(([id]) => becomes.get(String(id)) ?? String(id)))]
}

/** Writes and erases calls. That (project, session) is unique holds because all writes go through one lane. */
export class DuckDbCalls implements CallStore {
  readonly #writer: CallWriting
  readonly #reader: Reading
  readonly #secret: string
  readonly #noted: () => void
  readonly #evaluations: DuckDbEvaluations
  readonly #lifts: DuckDbLifts
  readonly #redactions: DuckDbRedactions

  /** @param noted hears when calls were written that somebody wants to know of */
  constructor(
    writer: CallWriting,
    reader: Reading & Pick<Engine, 'lease'>,
    secret: string,
    noted: () => void = () => undefined,
  ) {
    this.#writer = writer
    this.#reader = reader
    this.#secret = secret
    this.#noted = noted
    this.#evaluations = new DuckDbEvaluations(writer, reader, noted)
    this.#lifts = new DuckDbLifts(writer, reader)
    this.#redactions = new DuckDbRedactions(writer, reader)
  }

  chooseToEvaluate(projectId: string, choice: EvaluationChoice) {
    return this.#evaluations.choose(projectId, choice)
  }

  toEvaluate(projectId: string, chosen: CallsToEvaluate, from: bigint) {
    return this.#evaluations.page(projectId, chosen, from)
  }

  writeEvaluations(projectId: string, calls: readonly EvaluatedCall[]) {
    return this.#evaluations.write(projectId, calls)
  }

  countTexts(projectId: string) {
    return this.#redactions.count(projectId)
  }

  texts(projectId: string, after: WrittenPlace | undefined, last: bigint) {
    return this.#redactions.page(projectId, after, last)
  }

  writeTexts(projectId: string, calls: readonly StoredTexts[]) {
    return this.#redactions.write(projectId, calls)
  }

  countLiftCalls(projectId: string, query: LiftQuery, signal?: AbortSignal) {
    return this.#lifts.countLiftCalls(projectId, query, signal)
  }

  alikeCalls(projectId: string, query: LiftQuery, parts: number, signal?: AbortSignal) {
    return this.#lifts.alikeCalls(projectId, query, parts, signal)
  }

  liftPages(projectId: string, query: LiftQuery, signal?: AbortSignal) {
    return this.#lifts.liftPages(projectId, query, signal)
  }

  writeLifts(projectId: string, query: LiftQuery, page: Pick<LiftPage, 'from' | 'to'>, lifts: readonly PlacedLift[]) {
    return this.#lifts.writeLifts(projectId, query, page, lifts)
  }

  liftFits(projectId: string) {
    return this.#lifts.liftFits(projectId)
  }

  writeLiftFit(projectId: string, fit: LiftFitRecord) {
    return this.#lifts.writeLiftFit(projectId, fit)
  }

  async upsert(
    projectId: string,
    calls: readonly PreparedCall[],
    options: { restoreErased?: boolean } = {},
  ): Promise<UpsertResult> {
    // A Map keeps the last of equal ids.
    const given = new Map(calls.map(call => [call.session_id, call]))
    if (given.size === 0) return { stored: 0, replaced: 0, erased: [], taken: [], held: [], unkept: [], besideBare: [] }
    if (!isUsual([...given.values()])) await this.#writer.grow()
    let noted = false
    const result = await this.#writer.transaction(projectId, async connection => {
      // A copy: with more memory it may be run again.
      const unique = new Map(given)
      await stageIds(connection, 'incoming', [...unique.keys()])
      const erased = await this.#erasedAmong(connection, projectId, unique, options.restoreErased === true)
      for (const id of erased) unique.delete(id)
      const read: ReadRows = async (sql, values) => (await connection.runAndReadAll(sql, values)).getRowsJS()
      const firstOf: FirstOf = ids => firstOfStaged(connection, projectId, ids)
      const { taken, renamed, besideBare } = await judgePlaced(read, projectId, unique.values(), firstOf)
      const held = await heldOf(read, projectId, unique, renamed, firstOf)
      for (const id of [...taken, ...held]) {
        unique.delete(id)
        renamed.delete(id)
      }
      if (taken.size + held.length > 0) await stageIds(connection, 'incoming', [...unique.keys()])
      await renameCalls(connection, projectId, renamed)
      const found = await amongStanding(connection, projectId, 'incoming')
      const notes = await beforeUpsert(connection, projectId, found)
      await beforeLeaving(connection, projectId, { table: 'incoming', found })
      const replaced = await connection.run(`delete from calls using incoming where project_id = $1 and ${found}`, [
        projectId,
      ])
      await this.#insert(connection, projectId, [...unique.values()])
      noted = (await notes?.note()) ?? false
      return {
        stored: unique.size,
        replaced: replaced.rowsChanged + renamed.size,
        erased,
        taken: [...taken],
        held,
        unkept: [],
        besideBare,
      }
    })
    if (noted) this.#noted()
    return result
  }

  async preview(
    projectId: string,
    calls: readonly PreviewedCall[],
    options: { restoreErased?: boolean } = {},
  ): Promise<UpsertPreview> {
    const unique = new Map(calls.map(call => [call.session_id, call]))
    const read: ReadRows = (sql, values) => this.#reader.rows(sql, values)
    const erased =
      options.restoreErased === true
        ? []
        : await read(`select distinct id from (${NAMES}) where ${ERASED}`, [
            projectId,
            this.#secret,
            JSON.stringify(namesOf(unique.values())),
          ])
    for (const [id] of erased) unique.delete(String(id))
    const { taken, renamed, besideBare } = await judgePlaced(read, projectId, unique.values(), ANYWHERE)
    const held = await heldOf(read, projectId, unique, renamed, ANYWHERE)
    for (const id of [...taken, ...held]) {
      unique.delete(id)
      renamed.delete(id)
    }
    const there = await read(
      `with asked as (select unnest(from_json($2, '["VARCHAR"]')) as session_id)
       select calls.session_id from calls, asked where project_id = $1 and ${isAmong('asked')}`,
      [projectId, JSON.stringify([...unique.keys()])],
    )
    const replaced = new Set([...there.map(([id]) => String(id)), ...renamed.keys()])
    return { replaced: [...replaced], erased: erased.map(([id]) => String(id)), taken: [...taken], held, besideBare }
  }

  async erase(projectId: string, sessionId: string): Promise<boolean> {
    return (await this.eraseAll(projectId, [sessionId])) > 0
  }

  /**
   * Resolves when the erasure is durable: no query finds the calls, and the log no longer holds them, unless an export of before is
   * still read: then it lets them go behind that. An id that was not there is not remembered.
   *
   * Known limit (measured): the engine does not overwrite what it lets go. The call's bytes stay in the file, in blocks
   * that other calls use too; neither CHECKPOINT, VACUUM, overwriting the row first nor rewriting the table changed that.
   * Only a copy of the store in a new file is free of them: see `compactStore`.
   */
  async eraseAll(
    projectId: string,
    sessionIds: readonly string[],
    { by, how }: ErasureNote = { by: 'earshot', how: 'call' },
  ): Promise<number> {
    if (sessionIds.length === 0) return 0
    const erased = await this.#writer.transaction(projectId, async connection => {
      await stageIds(connection, 'leaving', sessionIds)
      await connection.run(
        `delete from leaving using calls where calls.project_id = $1 and ${isAmong('leaving')} and ${IS_HELD}`,
        [projectId],
      )
      const among = await amongStanding(connection, projectId, 'leaving')
      await beforeLeaving(connection, projectId, { table: 'leaving', found: among })
      const deleted = await connection.runAndReadAll(
        `delete from calls using leaving where project_id = $1 and ${among} returning calls.session_id`,
        [projectId],
      )
      const found = deleted.getRowsJS().map(([id]) => id as string)
      // Also of ids that were not there: an older program erased in two steps.
      for (const table of ABOUT_CALLS) {
        await connection.run(
          `delete from ${table} using leaving where project_id = $1 and ${table}.session_id = leaving.session_id`,
          [projectId],
        )
      }
      await connection.run(
        `delete from event_deliveries using leaving where project_id = $1 and subject = $2 || leaving.session_id`,
        [projectId, CALL_SUBJECT],
      )
      if (found.length === 0) return 0
      await stageIds(connection, 'leaving', found)
      await dropEntries(connection, projectId, { table: 'leaving', ids: 'session_id' })
      await connection.run(`insert into erased_calls select $1, ${erasedHash('session_id')} from leaving`, [
        projectId,
        this.#secret,
      ])
      const now = new Date().toISOString()
      const note = { erased_at: now, erased_by: by, how, calls: found.length }
      await connection.run('insert into erasures values ($1, $2::TIMESTAMPTZ::TIMESTAMP, $3)', [
        projectId,
        now,
        JSON.stringify(note),
      ])
      // The ids must not stay either.
      await connection.run('drop table leaving')
      return found.length
    })
    if (erased > 0) await this.#writer.checkpoint()
    return erased
  }

  async eraseTranscripts(projectId: string, sessionIds: readonly string[]): Promise<number> {
    if (sessionIds.length === 0) return 0
    const changed = await this.#writer.transaction(projectId, async connection => {
      await stageIds(connection, 'leaving', sessionIds)
      const found = await amongStanding(connection, projectId, 'leaving')
      await dropWordsAmong(connection, projectId, { table: 'leaving', found })
      await markOpenDaysOf(connection, projectId, { table: 'leaving', found })
      const { rowsChanged } = await connection.run(
        `update calls set write_number = $2, place = null, transcript = null, recording_url = null, search_text = ${searchTextWithoutTranscript},
           signals = list_transform(signals, lambda s: struct_update(s, evidence := null)),
           guidance = list_transform(guidance, lambda g: struct_update(g, evidence := null)),
           conditions = list_transform(conditions, lambda c: struct_update(c, text := null))
         from leaving where project_id = $1 and ${found} and ${HAS_SPEECH} and not ${IS_HELD}`,
        [projectId, await writeNumber(connection)],
      )
      // They hold none of its words, but places of them.
      await connection.run(forgetAnswers('leaving'), [projectId])
      return rowsChanged
    })
    if (changed > 0) await this.#writer.checkpoint()
    return changed
  }

  async recordingsOfOnly(projectId: string, sessionIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#reader.rows(
      `with asked as (select unnest(from_json($2, '["VARCHAR"]')) as session_id)
       select distinct recording_url from calls, asked
       where project_id = $1 and ${isAmong('asked')} and recording_url is not null and recording_url not in (
         select recording_url from calls where project_id = $1 and recording_url is not null
         and session_id not in (select session_id from asked))`,
      [projectId, JSON.stringify(sessionIds)],
    )
    return rows.map(([place]) => String(place))
  }

  async olderThan(
    projectId: string,
    before: number,
    { limit, withTranscript }: OlderOptions,
  ): Promise<readonly string[]> {
    const rows = await this.#reader.rows(
      `select session_id from calls where project_id = $1 and created_dt < $2
         and (not $3 or ${HAS_SPEECH}) and not ${IS_HELD} order by created_dt, session_id limit $4`,
      [projectId, timestamp(before), withTranscript ?? false, limit],
    )
    return rows.map(([id]) => String(id))
  }

  async languages(projectId: string, sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#reader.rows(
      `with asked as (select unnest(from_json($2, '["VARCHAR"]')) as session_id)
       select calls.session_id, language_primary from calls, asked
       where project_id = $1 and ${isAmong('asked')} and language_primary is not null`,
      [projectId, JSON.stringify(sessionIds)],
    )
    return new Map(rows.map(([id, language]) => [String(id), String(language)]))
  }

  async agentIds(projectId: string): Promise<ReadonlyMap<string, string>> {
    // Days that are counted tell without their calls whom these are of.
    const counted = await countedDays((sql, values) => this.#reader.rows(sql, values), projectId)
    const { days, rests } = countedParts([{}], counted)
    const blocks = days.flatMap(run => blocksOf(run).map(({ block }) => block))
    const rows = await this.#reader.rows(
      `select agent_id, arg_max(agent_name, "last") from (
         select agent_id, agent_name, created_dt as "last" from calls where project_id = $1 and ${isOutside(rests)}
         union all select agent_id, agent_name, "last" from agent_days c where project_id = $1 and ${isOfBlocks(blocks)}
       ) where agent_id is not null group by agent_id`,
      [projectId],
    )
    return new Map(rows.map(([id, name]) => [String(id), String(name)]))
  }

  async #insert(connection: DuckDBConnection, projectId: string, calls: readonly PreparedCall[]): Promise<void> {
    const number = await writeNumber(connection)
    const insert = { statement: insertCalls, values: [projectId, number] }
    await overStaged(connection, slicesOf(calls), insert)
    await markDaysWritten(connection, projectId, number)
  }

  /**
   * The incoming ids that were erased, which stay out; to restore them they are forgotten instead. One whose file has the
   * bare name of an erased call stays out too: that may be the same call, under the id that earlier versions gave it.
   */
  async #erasedAmong(
    connection: DuckDBConnection,
    projectId: string,
    calls: ReadonlyMap<string, PreparedCall>,
    restore: boolean,
  ): Promise<readonly string[]> {
    const any = await connection.runAndReadAll('select 1 from erased_calls where project_id = $1 limit 1', [projectId])
    if (any.currentRowCount === 0) return []
    const parameters = [projectId, this.#secret, JSON.stringify(namesOf(calls.values()))]
    if (restore) {
      await connection.run(
        `delete from erased_calls using (${NAMES}) as names
         where project_id = $1 and session_hash = ${erasedHash('names.name')}`,
        parameters,
      )
      return []
    }
    const refused = await connection.runAndReadAll(
      `delete from incoming where session_id in (select id from (${NAMES}) where ${ERASED}) returning session_id`,
      parameters,
    )
    return refused.getRowsJS().map(([id]) => id as string)
  }
}

/**
 * Whether calls take no unusual memory to write. The engine unpacks a call about ten times over, and packs a row group,
 * 2,048 calls, as one: 96 MiB were enough for calls of 20 kB on the average, 128 MiB for 35 kB, not for 60 (measured).
 */
function isUsual(calls: readonly PreparedCall[]): boolean {
  const bytes = calls.reduce((sum, { json }) => sum + json.length, 0)
  return (
    (calls.length < TOO_FEW_CALLS || bytes <= calls.length * USUAL_BYTES) &&
    calls.every(({ json }) => json.length <= USUAL_LONGEST)
  )
}

function* slicesOf(calls: readonly PreparedCall[]): Generator<readonly PreparedCall[]> {
  let slice: PreparedCall[] = []
  let bytes = 0
  for (const call of calls) {
    if (slice.length === SLICE_CALLS || (slice.length > 0 && bytes + call.json.length > SLICE_BYTES)) {
      yield slice
      slice = []
      bytes = 0
    }
    slice.push(call)
    bytes += call.json.length
  }
  if (slice.length > 0) yield slice
}
