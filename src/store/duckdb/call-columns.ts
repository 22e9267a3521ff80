import { callFields } from '../../calls/call-fields.js'
import type { FieldType } from '../../calls/field-type.js'
import { columnType, quoted } from './column-type.js'
import { jsonStructure } from './writing/json-structure.js'

/** A column of the table `calls`: its type, and the SQL that fills it from a staged call (see `insertCalls`). */
interface CallColumn {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly from: string
}

/** The staged columns that were checked beside the JSON and are the truth for their fields. */
const STAGED = new Set(['session_id', 'agent_id', 'agent_name'])

const recordColumns: readonly CallColumn[] = callFields.map(({ name, type, required }) => ({
  name,
  type: columnType(type),
  required,
  from: STAGED.has(name) ? quoted(name) : `r.${quoted(name)}::${columnType(type)}`,
}))

/** How a field of the record is named where a derived column is computed. */
type Naming = (field: string) => string

/** As `foldedText` folds what is looked for. */
const folded = (text: string) => `strip_accents(lower(${text}))`

/** What search_calls looks for words in: title, summary and transcript, folded. */
const searchText = (of: Naming) =>
  folded(`concat_ws(chr(10), ${of('title')}, ${of('coaching_summary')},
  array_to_string(list_transform(${of('transcript')}, lambda t: t.text), chr(10)))`)

/** The same of a row whose transcript is taken out. */
export const searchTextWithoutTranscript = folded('concat_ws(chr(10), title, coaching_summary)')

/** Seconds: as measured, else as the customer's system says, else the last end of a turn. */
const duration = (of: Naming) => `coalesce(${of('talk_patterns')}.total_duration_s,
  try_cast(${of('session_metadata')}->>'$.audio_length_seconds' as DOUBLE),
  list_max(list_transform(${of('transcript')}, lambda t: t.end_s)))`

const present = (of: Naming) => `list_filter(${of('signals')}, lambda s: s.state = 'present')`

/** Keys alone: a signal's frequency is counted, and its calls found, without reading states and evidence. */
const presentSignals = (of: Naming) => `list_sort(list_distinct(list_transform(${present(of)}, lambda s: s.key)))`
const guidanceKeys = (of: Naming) => `list_sort(list_distinct(list_transform(${of('guidance')}, lambda g: g.key)))`

const stringList: FieldType = { kind: 'list', of: { kind: 'string' } }

/** A derived column, with the field type our own questions see. */
export interface DerivedColumn extends CallColumn {
  readonly field: FieldType
  /** It is not there for whoever sees no text. */
  readonly holdsText: boolean
}

const derivedFrom = (of: Naming): readonly DerivedColumn[] => [
  {
    name: 'search_text',
    type: 'VARCHAR',
    required: true,
    from: searchText(of),
    field: { kind: 'string' },
    holdsText: true,
  },
  {
    name: 'duration_s',
    type: 'DOUBLE',
    required: false,
    from: duration(of),
    field: { kind: 'double' },
    holdsText: false,
  },
  {
    name: 'signal_count',
    type: 'INTEGER',
    required: false,
    from: `len(${present(of)})::INTEGER`,
    field: { kind: 'int' },
    holdsText: false,
  },
  {
    name: 'present_signals',
    type: 'VARCHAR[]',
    required: false,
    from: presentSignals(of),
    field: stringList,
    holdsText: false,
  },
  {
    name: 'guidance_keys',
    type: 'VARCHAR[]',
    required: false,
    from: guidanceKeys(of),
    field: stringList,
    holdsText: false,
  },
]

/** Computed once at import; only our own questions may name them. */
export const derivedColumns: readonly DerivedColumn[] = derivedFrom(field => `r.${field}`)

/** Stable hash of a session id: a lookup scans 8 bytes a call, 3.5 ms for a million, and needs no index in memory. */
export const sessionKey = (id: string) => `md5_number_lower(${id})`

/** The condition that a row of `calls` is the session of an id: a column of another table. */
export const hasSession = (id: string) => `calls.session_id = ${id} and calls.session_key = ${sessionKey(id)}`

/**
 * The condition that a row lies in the blocks of those between two places, for statements that read wide columns of few
 * rows: by the places alone the engine begins to read every block. See `writeNumber`.
 * @param from the first place, a parameter of the statement
 * @param to the last place
 */
export const inBlocksOf = (from: string, to: string) =>
  `write_number in (select write_number from calls where rowid >= ${from} and rowid <= ${to})`

/** Every column of `calls` as the record's schema asks for it. */
export const callColumns: readonly CallColumn[] = [
  { name: 'project_id', type: 'VARCHAR', required: true, from: '$1' },
  { name: 'session_key', type: 'UBIGINT', required: true, from: sessionKey('session_id') },
  { name: 'write_number', type: 'BIGINT', required: true, from: '$2' },
  ...recordColumns,
  ...derivedColumns,
  // See words/segments.ts.
  { name: 'place', type: 'INTEGER', required: false, from: 'null' },
]

const structure = JSON.stringify(Object.fromEntries(callFields.map(({ name, type }) => [name, jsonStructure(type)])))

/** Turns the staged JSON texts into rows of `calls`; $1 is the project, $2 the write's number. */
export const insertCalls = `insert into calls (${callColumns.map(({ name }) => quoted(name)).join(', ')})
select ${callColumns.map(({ from }) => from).join(',\n  ')}
from (select session_id, agent_id, agent_name, json_transform(decode(json), '${structure.replaceAll("'", "''")}') as r from staged)`

/**
 * What an evaluation sets in a row of `calls`: the evaluated fields as `e.r` has them, and what is derived from them. The
 * outcome lift was that of the evaluation before.
 * @param fields the fields an evaluation fills
 * @param number the parameter that is the write's number
 */
export function evaluatedAssignments(fields: readonly string[], number: string): string {
  return ['outcome_lift = null', ...assignmentsOf(fields, number)].join(',\n  ')
}

function assignmentsOf(fields: readonly string[], number: string): readonly string[] {
  const evaluated = new Set(fields)
  const of: Naming = field => (evaluated.has(field) ? `e.r.${quoted(field)}` : `calls.${quoted(field)}`)
  const own = recordColumns
    .filter(({ name }) => evaluated.has(name))
    .map(({ name, type }) => `${quoted(name)} = e.r.${quoted(name)}::${type}`)
  const derived = derivedFrom(of).map(({ name, from }) => `${quoted(name)} = ${from}`)
  return [...own, `write_number = ${number}`, 'place = null', ...derived]
}

/** What sets fields of a row of `calls` to what `e.r` has, and what is derived from them. @param number as above */
export function textAssignments(fields: readonly string[], number: string): string {
  return assignmentsOf(fields, number).join(',\n  ')
}

/** The structure in which json_transform reads the record, as an SQL text. */
export const recordStructure = `'${structure.replaceAll("'", "''")}'`

/** The columns as CREATE TABLE lists them. */
export const callColumnList = callColumns
  .map(({ name, type, required }) => `${quoted(name)} ${type}${required ? ' NOT NULL' : ''}`)
  .join(',\n  ')

/**
 * The JSON text of some columns. To be made of rows that were picked (`with … as materialized`): of a list the engine makes JSON for every row
 * that it unpacks, 2,048, whichever are asked for.
 * @param others further fields, by name
 */
export function jsonOf(names: readonly string[], others: Readonly<Record<string, string>> = {}): string {
  const fields = [...names.map(name => [name, name]), ...Object.entries(others)]
  return `to_json({${fields.map(([name, sql]) => `'${name}': ${sql}`).join(', ')}})::varchar`
}
