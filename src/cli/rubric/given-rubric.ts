import { readFile } from 'node:fs/promises'
import { unreadable } from '../unreadable.js'
import { UsageError } from '../usage-error.js'
import { textOption } from '../text-option.js'

/** A rubric named on the command line: a file, or a built-in one. */
export const givenOptions = {
  'built-in': textOption(
    'A built-in rubric in place of a file: support-calls, sales-calls, support-calls-de, support-calls-es',
  ),
} as const

type Given = { readonly text: string; readonly built_in?: never } | { readonly built_in: string; readonly text?: never }

/** @throws UsageError unless exactly one of them is given; Problem for a file that can't be read */
export async function givenRubric(file: string | undefined, builtIn: string | undefined): Promise<Given> {
  if ((file === undefined) === (builtIn === undefined)) throw new UsageError('Name either a file or --built-in')
  if (builtIn !== undefined) return { built_in: builtIn }
  try {
    return { text: await readFile(file!, 'utf8') }
  } catch (error) {
    throw unreadable(file!, error)
  }
}
