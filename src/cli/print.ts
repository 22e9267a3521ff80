import { visibleText } from '../base/text.js'
import { screenOf } from './screen.js'
import { tableText } from './table-text.js'
import { writeOut } from './stdout.js'

/**
 * Prints a result: one line of JSON, or lines for a reader. To a terminal goes nothing that it would obey: names of files
 * and of keys are other people's.
 */
export async function print(json: boolean, result: object, lines: () => string): Promise<void> {
  await writeOut(json ? `${JSON.stringify(result)}\n` : forReader(lines()))
}

/** Rows as a table as wide as the terminal. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableText(head, rows, screenOf().width)
}

function forReader(text: string): string {
  return process.stdout.isTTY ? visibleText(text).text : text
}
