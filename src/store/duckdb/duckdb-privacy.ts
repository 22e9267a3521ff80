import type { PrivacyStore } from '../privacy-store.js'
import { approval, type ApprovalRecord } from '../records/approval.js'
import { type CustomerChoice, erasure, type ErasureRecord, hold, type HoldRecord } from '../records/hold.js'
import { hasSession } from './call-columns.js'
import type { Reading, Writing } from './engine.js'

const plain = (text: string): string => `lower(trim(${text}))`
const metadata = (field: string): string => `calls.session_metadata->>('$."' || ${field} || '"')`

/** Rows of `calls` of a customer: names and values are compared without case and blanks around. */
const isOf = ({ customer, field, value }: Readonly<Record<'customer' | 'field' | 'value', string>>): string => `(
  ${plain('calls.customer_display_name')} = ${customer}
  or ${plain(`calls.session_metadata->>'$.customer_display_name'`)} = ${customer}
  or ${plain(metadata(field))} = ${value})`

/** Whether a hold keeps a row of `calls`; with a condition, whether one of those holds does. */
const isHeld = (whichHold = 'true'): string => `exists (
  select 1 from held where held.project_id = calls.project_id and ${whichHold}
  and (held.session_id = calls.session_id or ${isOf({ customer: 'held.customer', field: 'held.field', value: 'held.value' })}))`

export const IS_HELD = isHeld()

/**
 * Those of the calls of project $1 among the ids $2, as JSON, that a hold keeps; none of them stands before the number $3. They are found
 * first: each is compared with every hold, which of all calls takes minutes.
 */
export const HELD_AMONG = `
  with sought as (select distinct unnest(from_json($2, '["VARCHAR"]')) as id),
    among as materialized (
      select project_id, calls.session_id, customer_display_name, session_metadata from calls, sought
      where project_id = $1 and ${hasSession('sought.id')} and write_number >= $3)
  select session_id from among as calls where ${IS_HELD}`

/** Keeps holds and what is known of erasures. */
export class DuckDbPrivacy implements PrivacyStore {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  async placeHold(record: HoldRecord, most = Infinity): Promise<boolean> {
    const { project_id: projectId, hold_id: holdId, session_ids: ids = [], customer, field, value } = record
    return await this.#writer.transaction(async connection => {
      const there = await connection.runAndReadAll('select count(*) from holds where project_id = $1', [projectId])
      if (Number(there.getRowsJS()[0]?.[0]) >= most) return false
      await connection.run('insert into holds values ($1, $2, $3)', [projectId, holdId, JSON.stringify(record)])
      await connection.run(
        `insert into held (project_id, hold_id, session_id) select $1, $2, unnest(from_json($3, '["VARCHAR"]'))`,
        [projectId, holdId, JSON.stringify(ids)],
      )
      if (customer === undefined && field === undefined) return true
      await connection.run(`insert into held values ($1, $2, null, ${plain('$3')}, $4, ${plain('$5')})`, [
        projectId,
        holdId,
        customer ?? null,
        field ?? null,
        value ?? null,
      ])
      return true
    })
  }

  async releaseHold(projectId: string, holdId: string): Promise<HoldRecord | undefined> {
    const place = [projectId, holdId]
    return await this.#writer.transaction(async connection => {
      await connection.run('delete from held where project_id = $1 and hold_id = $2', place)
      const gone = await connection.runAndReadAll(
        'delete from holds where project_id = $1 and hold_id = $2 returning record',
        place,
      )
      const [text] = gone.getRowsJS().map(([record]) => record as string)
      return text === undefined ? undefined : hold.stored.parse(JSON.parse(text))
    })
  }

  async holds(projectId: string): Promise<readonly HoldRecord[]> {
    const rows = await this.#reader.rows(`select record from holds where project_id = $1`, [projectId])
    return rows
      .map(([record]) => hold.stored.parse(JSON.parse(String(record))))
      .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  }

  async heldBy(projectId: string, holdId: string): Promise<number> {
    const [row] = await this.#reader.rows(
      `select count(*) from calls where project_id = $1 and ${isHeld('held.hold_id = $2')}`,
      [projectId, holdId],
    )
    return Number(row?.[0] ?? 0)
  }

  async heldAmong(projectId: string, sessionIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#reader.rows(HELD_AMONG, [projectId, JSON.stringify(sessionIds), 0n])
    return rows.map(([id]) => String(id))
  }

  async callsOf(projectId: string, { customer, field, value }: CustomerChoice) {
    const rows = await this.#reader.rows(
      `select session_id, agent_name, created_dt, ${IS_HELD} from calls where project_id = $1
         and ${isOf({ customer: plain('$2'), field: '$3', value: plain('$4') })}
       order by created_dt, session_id`,
      [projectId, customer ?? null, field ?? null, value ?? null],
    )
    return rows.map(([id, agent, began, held]) => ({
      session_id: String(id),
      agent_name: String(agent),
      created_dt: (began as Date).toISOString(),
      held: held === true,
    }))
  }

  async approvals(projectId: string): Promise<readonly ApprovalRecord[]> {
    const rows = await this.#reader.rows('select record from approvals where project_id = $1', [projectId])
    return rows
      .map(([record]) => approval.stored.parse(JSON.parse(String(record))))
      .toSorted((a, b) => (a.requested_at < b.requested_at ? -1 : 1))
  }

  async putApproval(record: ApprovalRecord): Promise<void> {
    await this.#writer.transaction(async connection => {
      await connection.run('insert into approvals values ($1, $2, $3)', [
        record.project_id,
        record.approval_id,
        JSON.stringify(record),
      ])
    })
  }

  async confirmApproval(record: ApprovalRecord): Promise<boolean> {
    return await this.#writer.transaction(async connection => {
      const { rowsChanged } = await connection.run(
        `update approvals set record = $3 where project_id = $1 and approval_id = $2
           and (record->>'confirmed_at') is null`,
        [record.project_id, record.approval_id, JSON.stringify(record)],
      )
      return rowsChanged > 0
    })
  }

  async takeApproval(projectId: string, approvalId: string): Promise<boolean> {
    return await this.#writer.transaction(async connection => {
      const { rowsChanged } = await connection.run('delete from approvals where project_id = $1 and approval_id = $2', [
        projectId,
        approvalId,
      ])
      return rowsChanged > 0
    })
  }

  async erasures(projectId: string, limit: number): Promise<readonly ErasureRecord[]> {
    const rows = await this.#reader.rows(
      'select record from erasures where project_id = $1 order by erased_at desc limit $2',
      [projectId, limit],
    )
    return rows.map(([record]) => erasure.stored.parse(JSON.parse(String(record))))
  }
}
