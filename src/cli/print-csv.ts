import type { Operation } from '../operations/operation.js'
import { besideTable, csvOf, tableOf } from '../operations/table.js'
import { count } from './figures.js'
import { fieldsOf } from './schema-options.js'
import { harmless } from './screen.js'
import { writeOut } from './stdout.js'

const CRLF = '\r\n'

/** Fields that bound how much an answer holds. */
const BOUNDS = ['limit', 'max_bytes']

/** How a command's line asks for more. */
interface Line {
  /** A field as it is given: `--limit`, `limit=`. */
  readonly field: (name: string) => string
  /** What gives the pages after this one. */
  readonly pages: (next: string) => string
}

/**
 * Prints pages of an answer as one table. What CSV has no place for is said on stderr: its warnings, and of a table that is
 * cut how many rows it has and what gives the others.
 */
export async function printCsv(
  operation: Operation,
  pages: AsyncIterable<unknown> | Iterable<unknown>,
  line: Line,
): Promise<void> {
  const schema = operation.body ?? operation.query
  const fields = schema === undefined ? {} : fieldsOf(schema)
  const notes = new Set<string>()
  let rows = 0
  let cut: string | undefined
  for await (const page of pages) {
    const answer = page as object
    const table = tableOf(operation, answer)
    const text = await csvOf(table)
    // The columns are the same on every page.
    await writeOut(rows === 0 ? text : text.slice(text.indexOf(CRLF) + CRLF.length))
    rows += table.rows.length
    const { total = 0, next, truncated, warnings } = besideTable(answer)
    for (const warning of warnings) notes.add(warning)
    const lacks = next !== undefined || truncated || (fields['cursor'] === undefined && total > rows)
    const printed = total > rows ? `${count(rows)} of ${count(total)} rows` : `${count(rows)} rows, and there are more`
    cut = lacks ? `${printed}: ${next === undefined ? moreOf(fields, line) : line.pages(next)}` : undefined
  }
  for (const note of [...notes, ...(cut === undefined ? [] : [cut])]) process.stderr.write(`${harmless(note)}\n`)
}

/** The fields that let an answer hold more. */
function moreOf(fields: ReturnType<typeof fieldsOf>, { field }: Line): string {
  const bounds = BOUNDS.flatMap(name => {
    const most = fields[name]?.maximum
    return most === undefined ? [] : [`${field(name)} (at most ${count(most)})`]
  })
  return `ask for more with ${bounds.join(' or ')}`
}
