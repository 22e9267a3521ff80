import { styleText } from 'node:util'
import { visibleText } from '../base/text.js'
import { terminalSettings } from '../config.js'

/** What a text for people may use of where it goes. */
export interface Screen {
  /** Columns of the terminal; undefined elsewhere: then nothing is cut. */
  readonly width: number | undefined
  readonly colour: boolean
}

/** Columns of a terminal that does not say how many it has. */
const USUAL_COLUMNS = 80

interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** What standard output can show. COLUMNS wins over what a terminal says of itself; one that says nothing has the usual. */
export function screenOf(output: Output = process.stdout, environment?: NodeJS.ProcessEnv): Screen {
  if (output.isTTY !== true) return { width: undefined, colour: false }
  const { columns, colour } = terminalSettings(environment)
  const width = [columns, output.columns ?? 0].find(one => one > 0) ?? USUAL_COLUMNS
  return { width, colour }
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** A text in a style, where the screen has colours. */
export function styled({ colour }: Screen, style: Style, text: string): string {
  return colour && text !== '' ? styleText(style, text, { validateStream: false }) : text
}

/**
 * A result with nothing in its texts that a terminal would obey: names, titles and transcripts are other people's. What is
 * written about it afterwards may be coloured.
 */
export function harmless<T>(value: T): T {
  if (typeof value === 'string') return visibleText(value).text.replaceAll(/[\r\t]/g, ' ') as T
  if (Array.isArray(value)) return value.map(one => harmless<unknown>(one)) as T
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [harmless(key), harmless<unknown>(one)])) as T
}
