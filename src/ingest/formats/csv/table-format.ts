import { closest } from '../../../base/closest.js'
import { echo } from '../../../base/text.js'
import type { InputFile } from '../../input-file.js'
import type { MapSource } from '../../mapping/map-rule.js'
import type { Piece, RawRecord, Reject } from '../../piece.js'
import type { Reading } from '../../reading.js'
import type { CutLimits, Format, FormatPage } from '../format.js'
import { type CsvHeader, fieldsOfColumns, headerOf } from './csv-columns.js'
import { cutCsv } from './cut-csv.js'
import { type CsvRow, readRows } from './read-rows.js'

/** Fields every call needs. */
const REQUIRED = ['session_id', 'agent_name', 'created_dt'] as const
const FILE_NAME = /\.(?:csv|tsv)(?:\.gz|\.zst)?$/i
/** Most column names told of a table that lacks one. */
const MOST_TOLD = 12

/** A table as its rows are read: which column is what. */
export interface Table {
  readonly header: CsvHeader
  /** Field of the record, or `turn.…`, by column index. */
  readonly fields: ReadonlyMap<number, string>
  /** The column that is read where one that is a field says nothing, by the index of that one. */
  readonly instead: ReadonlyMap<number, number>
}

interface Definition {
  readonly name: string
  readonly title: string
  readonly page: FormatPage
  /** Every field a column can be. */
  readonly fields: readonly string[]
  /** Fields without which a table is no such table. */
  readonly marks: readonly string[]
  /** Fields that a table of another kind has, all of them. */
  readonly unless?: readonly string[]
  /** Rows with the same session_id are one call. */
  readonly grouped: boolean
  /** The records of rows. */
  readonly read: (rows: readonly CsvRow[], table: Table, reading: Reading) => Iterable<RawRecord>
}

/** A format of tables with a header. */
export function tableFormat(definition: Definition): Format {
  const { name, title, page, fields, marks, unless = [], grouped, read } = definition
  const tableOf = (header: CsvHeader, { mapping }: Pick<Reading, 'mapping'>): Table => {
    const found = new Map(fieldsOfColumns(header.columns, fields))
    const instead = new Map<number, number>()
    for (const { target, source, otherwise } of mapping) {
      if (otherwise === true) continue
      const own = columnOf(found, target)
      // What is mapped is taken from there alone.
      if (own !== undefined) found.delete(own)
      const column = mappedColumn(header, source)
      if (column !== undefined && fields.includes(target)) found.set(column, target)
    }
    // Only then is known which column says a field by itself, and keeps it.
    for (const { target, source, otherwise } of mapping) {
      const column = mappedColumn(header, source)
      if (otherwise !== true || column === undefined) continue
      const own = columnOf(found, target)
      if (own !== undefined) instead.set(own, column)
      else if (fields.includes(target) && !found.has(column)) found.set(column, target)
    }
    return { header, fields: found, instead }
  }

  return {
    name,
    title,
    page,
    turnColumns: grouped,
    recognises({ head, path }) {
      const header = headerOf(head)
      if (header === undefined || /^\s*[[{<]/.test(head)) return false
      const known = new Set(fieldsOfColumns(header.columns, fields).values())
      const others = new Set(fieldsOfColumns(header.columns, unless).values())
      const isMarked = marks.every(mark => known.has(mark)) && !(unless.length > 0 && others.size === unless.length)
      return isMarked && (known.has('session_id') || known.has('agent_name') || FILE_NAME.test(path ?? ''))
    },
    cut(file, limits, reading) {
      const header = headerOf(file.head)
      if (header === undefined)
        return refused(file, 'does not begin with a line of column names, with , ; tab or | between them')
      const table = tableOf(header, reading)
      const fault = lacking(table, reading, [...(grouped ? ['turn.text', 'turn.speaker'] : []), ...REQUIRED])
      if (fault !== undefined) return refused(file, fault)
      return cutTable(file, limits, table, grouped)
    },
    *read(piece, reading) {
      const { bytes, companion = new Uint8Array(), line } = piece
      const header = headerOf(textOf(companion))
      if (header === undefined) return
      yield* read(readRows(bytes, header, line), tableOf(header, reading), reading)
    },
  }
}

/** The column that a table has for a field. */
export function columnOf(fields: Table['fields'], field: string): number | undefined {
  return [...fields].find(([, name]) => name === field)?.[0]
}

function mappedColumn({ columns }: CsvHeader, source: MapSource): number | undefined {
  const [step, ...inner] = source.from === 'path' ? source.steps : []
  const index = typeof step === 'string' && inner.length === 0 ? columns.indexOf(step) : -1
  return index === -1 ? undefined : index
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

async function* refused(file: InputFile, message: string): AsyncGenerator<Reject> {
  yield { file: file.name, line: 1, path: '', message }
  await Promise.resolve()
}

function cutTable(
  file: InputFile,
  limits: CutLimits,
  { header, fields, instead }: Table,
  grouped: boolean,
): AsyncGenerator<Piece | Reject> {
  const { length } = headerOf(file.head) ?? { length: 0 }
  const headerBytes = Buffer.from(file.head.slice(0, length))
  const id = grouped ? columnOf(fields, 'session_id') : undefined
  return cutCsv(file, limits, {
    delimiter: header.delimiter,
    groupBy: id,
    groupByElse: id === undefined ? undefined : instead.get(id),
    headerBytes,
    headerLines: headerBytes.filter(byte => byte === 0x0a).length,
  })
}

/** What a table lacks, told once for the file and not for every row. */
function lacking({ header, fields }: Table, { mapping }: Reading, needed: readonly string[]): string | undefined {
  for (const { target, written, source, otherwise } of mapping) {
    if (source.from !== 'path' || source.optional) continue
    // Whether it is needed, each row says.
    if (otherwise === true && columnOf(fields, target) !== undefined) continue
    const [column] = source.steps
    if (typeof column === 'string' && header.columns.includes(column)) continue
    const near = closest(String(column), header.columns)
    const hint = near === undefined ? `; ${told(header)}` : `; did you mean ${echo(near)}?`
    return `has no column ${echo(String(column))} (mapped by ${echo(written)})${hint}`
  }
  const known = new Set([...fields.values(), ...mapping.map(({ target }) => target)])
  const lost = needed.find(field => !known.has(field))
  if (lost === undefined) return undefined
  return `has no column for ${lost}; ${told(header)}: say which with --map ${echo(`${lost}=COLUMN`)}`
}

function told({ columns }: CsvHeader): string {
  const names = columns.slice(0, MOST_TOLD).map(echo).join(', ')
  return `its columns are ${names}${columns.length > MOST_TOLD ? ` and ${columns.length - MOST_TOLD} more` : ''}`
}
