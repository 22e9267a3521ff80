import { tableText } from './table-text.js'
import { writeOut } from './stdout.js'

/** Prints a result: one line of JSON, or lines for a reader. */
export async function print(json: boolean, result: object, lines: () => string): Promise<void> {
  await writeOut(json ? `${JSON.stringify(result)}\n` : lines())
}

/** Rows as a table as wide as the terminal. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableText(head, rows, process.stdout.isTTY ? process.stdout.columns : undefined)
}
