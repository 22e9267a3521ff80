import { otherWork } from '../base/other-work.js'
import { type Options, stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import { Problem } from '../base/problem.js'
import type { Operation } from './operation.js'

/** A cell is empty (`undefined`), a number that stays one, or text. */
export type Cell = string | number | undefined

/** The table in an answer. */
export interface Table {
  /** Names of the columns; that of a value within a value is dotted: `schedule.cron`. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** What an answer says beside its table. */
export interface BesideTable {
  /** How many rows there are, on all pages. */
  readonly total: number | undefined
  /** The cursor of the next page. */
  readonly next: string | undefined
  /** There are more rows than shown, and no page that holds them. */
  readonly truncated: boolean
  readonly warnings: readonly string[]
}

/** The names of fields on the way to a value. */
type Path = readonly string[]

/** Columns are most of what a table without a schema costs, and the names of its fields can be made from calls. */
const MOST_COLUMNS = 500

/** Rows made into text before others are answered. */
const ROWS_A_TURN = 50

const RFC_4180 = {
  record_delimiter: '\r\n',
  // A lone CR or LF in a text ends a row for many readers, and what follows would begin a cell of its own, a formula perhaps.
  quote_record_delimiter: true,
  // Text that a spreadsheet would take for a formula gets an apostrophe ahead; numbers keep their sign.
  escape_formulas: true,
} as const satisfies Options

/** The columns that a table always has, said by the answer's schema; undefined where they are as the rows are. */
export function fixedColumns(asked: Operation): readonly string[] | undefined {
  const schemas = tablesOf(asked).map(name => rowSchema(asked, name))
  const [row] = schemas
  // One that answers with one of several tables says its columns with its rows.
  return schemas.length === 1 && row !== undefined ? pathsOf(row).map(nameOf) : undefined
}

/**
 * The table in an answer of an operation: a row an entry, values within values as columns of their own, lists as JSON.
 * @throws Problem `not_acceptable` where the answer holds no table
 */
export function tableOf(asked: Operation, answer: object): Table {
  const held: Readonly<Record<string, unknown>> = { ...answer }
  const name = tablesOf(asked).find(one => Array.isArray(held[one]))
  if (name === undefined) throw new Problem('not_acceptable', 'This answer has no table: ask for application/json')
  const entries = held[name] as readonly object[]
  const row = rowSchema(asked, name)
  const paths = row === undefined ? pathsIn(entries) : pathsOf(row)
  return {
    columns: paths.map(nameOf),
    rows: entries.map(entry => paths.map(path => cellOf(valueAt(entry, path)))),
  }
}

const aside = z.object({
  total: z.int().optional(),
  next_cursor: z.string().optional(),
  truncated: z.boolean().optional(),
  warnings: z.array(z.string()).optional(),
})

/** What an answer says that its table has no place for. */
export function besideTable(answer: object): BesideTable {
  const { total, next_cursor: next, truncated = false, warnings = [] } = aside.parse(answer)
  return { total, next, truncated, warnings }
}

/** A table as CSV by RFC 4180: a line of names first, CRLF after each line, text that begins like a formula made harmless. */
export async function csvOf({ columns, rows }: Table): Promise<string> {
  // A line with nothing in it is none to many readers.
  const options: Options = { ...RFC_4180, quoted_empty: columns.length === 1 }
  let text = stringify([[...columns]], options)
  for (let start = 0; start < rows.length; start += ROWS_A_TURN) {
    text += stringify(rows.slice(start, start + ROWS_A_TURN), options)
    await otherWork()
  }
  return text
}

function tablesOf({ table = [] }: Operation): readonly string[] {
  return typeof table === 'string' ? [table] : table
}

const nameOf = (path: Path) => path.join('.')

/** The schema of the rows of a table; undefined where its fields are not known before. */
function rowSchema({ answer, url }: Operation, name: string): z.ZodObject | undefined {
  const list = answer instanceof z.ZodObject ? bare(answer.shape[name] as z.ZodType) : undefined
  const lists = list instanceof z.ZodUnion ? list.options.map(one => bare(one as z.ZodType)) : [list]
  const table = lists.find(one => one instanceof z.ZodArray)
  if (table === undefined) throw new Error(`The answer of ${url} has no list ${name}`)
  const row = bare(table.element as z.ZodType)
  return row instanceof z.ZodObject ? row : undefined
}

/** A schema without what says that the value may be missing or null. */
function bare(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return bare(schema.unwrap() as z.ZodType)
  }
  return schema
}

function pathsOf(row: z.ZodObject): readonly Path[] {
  return Object.entries<z.ZodType>(row.shape).flatMap(([name, field]) => {
    const inner = bare(field)
    return inner instanceof z.ZodObject ? pathsOf(inner).map(path => [name, ...path]) : [[name]]
  })
}

/** The fields that rows have, in the order in which they come up. @throws Problem `invalid_input` for too many */
function pathsIn(rows: readonly object[]): readonly Path[] {
  const found = new Map<string, Path>()
  const look = (value: object, above: Path): void => {
    for (const [name, inner] of Object.entries(value)) {
      const path = [...above, name]
      if (isNested(inner)) look(inner, path)
      else found.set(JSON.stringify(path), path)
      if (found.size > MOST_COLUMNS) {
        const remedy = 'keep fewer with $project, or ask for application/json'
        throw new Problem('invalid_input', `A table has at most ${MOST_COLUMNS} columns, and this has more: ${remedy}`)
      }
    }
  }
  for (const row of rows) look(row, [])
  return [...found.values()]
}

function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.keys(value).length > 0 && numberOf(value) === undefined
}

const extended = z.strictObject({ $numberDouble: z.enum(['NaN', 'Infinity', '-Infinity']) })

/** A number that JSON has no way to write, as pipelines give it: `{"$numberDouble": "NaN"}`. */
function numberOf(value: object): number | undefined {
  const { data } = extended.safeParse(value)
  return data && Number(data.$numberDouble)
}

function valueAt(row: object, path: Path): unknown {
  let value: unknown = row
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'object') return numberOf(value) ?? JSON.stringify(value)
  return JSON.stringify(value)
}
