import { type ParseError, parseTree } from 'jsonc-parser'
import { echo } from '../base/text.js'

/** Most characters of the text that are shown from where it breaks. */
const SHOWN = 20

/** What is written where JSON is expected although it is none, and what JSON has for it. */
const MEANT: readonly (readonly [RegExp, string])[] = [
  [/^[\w.]*(?:\([^)]*\))?\.aggregate\s*\(/, 'give the array alone, without the call around it'],
  [/^(?:new\s+)?(?:ISODate|Date)\b/, 'a date is written {"$date": "2026-03-01"}'],
  [/^(?:True|False|None|undefined)\b/, 'JSON has true, false and null'],
  [/^\/[^/*]/, 'a pattern is written {"$regex": "refund", "$options": "i"}'],
  [/^(?:['`“”‘’]|[$\w.]+\s*:)/, 'names and texts stand in double quotes'],
]

/** Where a text breaks that is no JSON, and what to write there; `undefined` where nothing can be said of it. */
export function whereNoJson(text: string): string | undefined {
  const error = firstError(text)
  if (error === undefined) return undefined
  const lines = text.slice(0, error.offset).split(/\r\n|\r|\n/)
  const place = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
  const rest = text.slice(error.offset)
  if (rest.trim() === '') return `it breaks off at its end, ${place}`
  const meant = hint(text.slice(0, error.offset), rest)
  const shown = echo(rest.length > SHOWN ? `${rest.slice(0, SHOWN)}…` : rest)
  return `at ${place}, ${shown}${meant === undefined ? '' : `: ${meant}`}`
}

function firstError(text: string): ParseError | undefined {
  const errors: ParseError[] = []
  try {
    parseTree(text, errors, { disallowComments: true })
  } catch {
    // It goes down into lists by calling itself, and there are texts of nothing but brackets.
    return undefined
  }
  return errors[0]
}

function hint(before: string, rest: string): string | undefined {
  if (/^[\]}]/.test(rest) && before.trimEnd().endsWith(',')) return 'the comma before it is one too many'
  return MEANT.find(([written]) => written.test(rest))?.[1]
}
