/** What a pipeline's answer can be drawn as, besides a table. */
export type Drawing = 'bars' | 'line' | 'heat' | 'histogram'

export type Cell = string | number | boolean | null | undefined

/** An answer as columns: fields of documents in documents stand beside the others, `_id.agent` as a column. */
export interface Shape {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** Numbers of columns by what is in them. */
  readonly numbers: readonly number[]
  readonly names: readonly number[]
  readonly dates: readonly number[]
  readonly drawings: readonly Drawing[]
}

/** More names than this are a table. */
const MOST_BARS = 40
const MOST_SIDES = 40
/** Fewer values than this have no shape. */
const FEWEST_VALUES = 20

const DATE = /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/

export function shapeOf(documents: readonly Readonly<Record<string, unknown>>[]): Shape {
  const flat = documents.map(one => new Map(cellsOf('', one)))
  const columns = [...new Set(flat.flatMap(row => [...row.keys()]))]
  const rows = flat.map(row => columns.map(name => row.get(name)))
  const all = (test: (cell: Cell) => boolean) =>
    columns.flatMap((_, i) => {
      const cells = rows.map(row => row[i]).filter(cell => cell !== undefined && cell !== null)
      return cells.length > 0 && cells.every(test) ? [i] : []
    })
  const dates = all(cell => typeof cell === 'string' && DATE.test(cell))
  const numbers = all(cell => typeof cell === 'number')
  const names = all(cell => typeof cell === 'string' || typeof cell === 'boolean').filter(i => !dates.includes(i))
  return { columns, rows, numbers, names, dates, drawings: drawingsOf({ rows, numbers, names, dates }) }
}

function drawingsOf({ rows, numbers, names, dates }: Omit<Shape, 'columns' | 'drawings'>): readonly Drawing[] {
  const [number] = numbers
  if (number === undefined) return []
  const distinct = (i: number | undefined) => (i === undefined ? 0 : new Set(rows.map(row => row[i])).size)
  const sides = [...names, ...dates]
  const fits: Readonly<Record<Drawing, boolean>> = {
    line: dates.length === 1 && names.length === 0 && rows.length > 1,
    heat:
      sides.length === 2 &&
      distinct(sides[0]) <= MOST_SIDES &&
      distinct(sides[1]) <= MOST_SIDES &&
      rows.length > distinct(sides[0]),
    bars: names.length === 1 && distinct(names[0]) === rows.length && rows.length > 1 && rows.length <= MOST_BARS,
    histogram: numbers.length === 1 && rows.length >= FEWEST_VALUES && dates.length === 0,
  }
  return (Object.keys(fits) as Drawing[]).filter(one => fits[one])
}

function cellsOf(before: string, of: Readonly<Record<string, unknown>>): readonly (readonly [string, Cell])[] {
  return Object.entries(of).flatMap(([name, value]): readonly (readonly [string, Cell])[] => {
    const place = before === '' ? name : `${before}.${name}`
    if (Array.isArray(value)) return [[place, value.every(isPlain) ? value.join(', ') : JSON.stringify(value)]]
    if (typeof value === 'object' && value !== null) return cellsOf(place, value as Readonly<Record<string, unknown>>)
    return [[place, value as Cell]]
  })
}

const isPlain = (value: unknown) => typeof value !== 'object' || value === null
