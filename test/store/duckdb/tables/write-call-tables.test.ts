import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { decompress } from 'fzstd'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallRecord } from '../../../../src/calls/call-record.js'
import { callTables } from '../../../../src/store/duckdb/tables/call-tables.js'
import { type TablesFolder, writeCallTables } from '../../../../src/store/duckdb/tables/write-call-tables.js'
import { call } from '../../../support/call.js'
import { isWhole } from '../../../support/whole.js'

const scratch = mkdtempSync(join(tmpdir(), 'earshot-test-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const rich = call('c 1', {
  created_dt: '2026-03-01T12:00:00.250+02:00',
  title: '=1+1',
  score: 4.5,
  outcome_lift: { lift: -0.25, lift_band: 'negative' },
  session_metadata: { store_id: '7', deep: { a: [1, 'ü'] } },
  signals: [
    { key: 'sig.a', state: 'present', strength: 0.5, evidence: [{ turn: 0, quote: 'Hi' }] },
    { key: 'sig.b', state: 'absent' },
  ],
  transcript: [
    { turn: 0, actor: 'agent', text: 'Hi', start_s: 0, end_s: 1.5 },
    { turn: 1, actor: 'customer', text: '@SUM(A1)\n"quoted", ü\u2028', start_s: 1.5 },
  ],
})
const bare = call('c2')
const calls: readonly CallRecord[] = [rich, bare]

/** In pieces that keep to no lines and no characters. */
async function* pieces(records: readonly CallRecord[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(records.map(one => `${JSON.stringify(one)}\n`).join(''))
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
}

const written = (format: 'parquet' | 'csv', text: 'full' | 'none' = 'full', records = calls) =>
  writeCallTables(pieces(records), { parent: scratch, format, text })
const fileOf = ({ folder }: TablesFolder, name: string) => join(folder, name)

let parquet: TablesFolder
beforeAll(async () => {
  parquet = await written('parquet')
})

/** What the engine itself reads of a file, types as their names. */
async function byEngine(file: string): Promise<{ types: Record<string, string>; rows: Record<string, unknown>[] }> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const read = await connection.runAndReadAll(`from read_parquet('${file}')`)
  const types = Object.fromEntries(read.columnNames().map((name, i) => [name, String(read.columnType(i))]))
  return { types, rows: read.getRowObjectsJson() }
}

/** What a second reader, which shares no code with the engine, reads of it. */
async function bySecondReader(file: string): Promise<Record<string, unknown>[]> {
  const zstd = (input: Uint8Array, length: number) => decompress(input, new Uint8Array(length))
  return await parquetReadObjects({ file: await asyncBufferFromFile(file), compressors: { ZSTD: zstd } })
}

test('calls, what was heard in them and their turns come out as typed tables that two readers read the same', async () => {
  expect(parquet.tables.map(({ name, rows }) => [name, rows])).toEqual([
    ['calls', 2],
    ['scores', 0],
    ['dimensions', 0],
    ['signals', 2],
    ['guidance', 0],
    ['conditions', 0],
    ['turns', 2],
  ])
  const { types, rows } = await byEngine(fileOf(parquet, 'calls.parquet'))
  expect(types).toEqual(
    Object.fromEntries((callTables('full')[0]?.columns ?? []).map(({ name, type }) => [name, typeNames[type] ?? type])),
  )
  expect(rows[0]).toMatchObject({
    session_id: 'c 1',
    created_dt: '2026-03-01 10:00:00.25+00',
    title: '=1+1',
    score: 4.5,
    outcome_lift_lift: -0.25,
    outcome_lift_lift_band: 'negative',
    session_metadata: '{"store_id":"7","deep":{"a":[1,"ü"]}}',
    predicted_csat: null,
  })
  const second = await bySecondReader(fileOf(parquet, 'calls.parquet'))
  expect(second.map(row => [row['session_id'], row['created_dt'], row['score'] ?? null])).toEqual([
    ['c 1', new Date('2026-03-01T10:00:00.250Z'), 4.5],
    ['c2', new Date('2026-03-01T10:00:00Z'), null],
  ])
  expect(await bySecondReader(fileOf(parquet, 'signals.parquet'))).toMatchObject([
    {
      session_id: 'c 1',
      position: 0,
      key: 'sig.a',
      state: 'present',
      strength: 0.5,
      evidence: '[{"turn":0,"quote":"Hi"}]',
    },
    { session_id: 'c 1', position: 1, key: 'sig.b', state: 'absent' },
  ])
  expect(await bySecondReader(fileOf(parquet, 'turns.parquet'))).toMatchObject([
    { session_id: 'c 1', turn: 0, actor: 'agent', text: 'Hi', end_s: 1.5 },
    { session_id: 'c 1', turn: 1, actor: 'customer', text: '@SUM(A1)\n"quoted", ü\u2028', start_s: 1.5 },
  ])
})

const typeNames: Readonly<Record<string, string>> = { TIMESTAMPTZ: 'TIMESTAMP WITH TIME ZONE' }

test('in CSV nothing is a formula, times are ISO 8601, and what is missing differs from what is empty', async () => {
  const tables = await written('csv', 'full', [...calls, call('-c3', { title: '' })])
  const read = (name: string): string[][] => parse(readFileSync(fileOf(tables, name), 'utf8'), {})
  const [names = [], ...rows] = read('calls.csv')
  const column = (name: string) => rows.map(row => row[names.indexOf(name)])
  expect(column('session_id')).toEqual(['c 1', 'c2', "'-c3"])
  expect(column('title')).toEqual(["'=1+1", '', ''])
  expect(readFileSync(fileOf(tables, 'calls.csv'), 'utf8')).toMatch(/^'-c3,[^\n]*,"",/m)
  expect(column('created_dt')[0]).toBe('2026-03-01T10:00:00.250Z')
  expect(column('outcome_lift_lift')[0]).toBe('-0.25')
  expect(read('turns.csv')[2]?.slice(0, 5)).toEqual(['c 1', '1', '1', 'customer', `'@SUM(A1)\n"quoted", ü\u2028`])
})

test('without text there is neither a column nor a table that holds any', async () => {
  const tables = await written('parquet', 'none')
  expect(tables.tables.map(({ name }) => name)).toEqual([
    'calls',
    'scores',
    'dimensions',
    'signals',
    'guidance',
    'conditions',
  ])
  const all = await Promise.all(tables.tables.map(({ path }) => byEngine(path)))
  const names = all.flatMap(({ types }) => Object.keys(types))
  expect(names).toContain('outcome_lift_lift')
  for (const name of ['title', 'session_metadata', 'evidence', 'text', 'coaching_summary'])
    expect(names).not.toContain(name)
  expect(JSON.stringify(all)).not.toMatch(/SUM|store_id|Hi/)
})

test('what is written is its owner’s alone, and what was stopped or failed leaves nothing', async () => {
  expect(statSync(parquet.folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(parquet.folder).sort()).toEqual(parquet.tables.map(({ name }) => `${name}.parquet`).sort())
  const before = readdirSync(scratch)
  async function* broken(): AsyncGenerator<string> {
    yield `${JSON.stringify(bare)}\n`
    throw new Error('broke off')
  }
  await expect(writeCallTables(broken(), { parent: scratch, format: 'csv', text: 'full' })).rejects.toThrow('broke off')
  const stopped = AbortSignal.abort(new Error('stopped'))
  await expect(
    writeCallTables(pieces(calls), { parent: scratch, format: 'csv', text: 'full', signal: stopped }),
  ).rejects.toThrow('stopped')
  expect(readdirSync(scratch)).toEqual(before)
})

test('no calls are tables without rows, with their columns', async () => {
  const { folder, tables } = await written('parquet', 'full', [])
  expect(tables.every(({ rows }) => rows === 0)).toBe(true)
  expect(Object.keys((await byEngine(join(folder, 'turns.parquet'))).types)).toContain('text')
})

// The engine unpacks 2,048 rows at once: of whole calls of an hour that is as much memory as it has.
test.runIf(isWhole)('calls of an hour are tables like others', async () => {
  const HOURS = 2_100
  const text = 'I should like to know what became of the order that I placed in the first week of the month, please. '
  async function* hours(): AsyncGenerator<string> {
    for (let i = 0; i < HOURS; i += 1) {
      const transcript = Array.from({ length: 500 }, (_, turn) => ({
        turn,
        actor: 'agent' as const,
        text: `${text.repeat(2)}${i}`,
      }))
      yield `${JSON.stringify(call(`h${i}`, { transcript }))}\n`
    }
  }
  const { tables } = await writeCallTables(hours(), { parent: scratch, format: 'parquet', text: 'full' })
  expect(tables.find(({ name }) => name === 'turns')?.rows).toBe(HOURS * 500)
})
