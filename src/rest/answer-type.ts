import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'
import { listed } from '../base/issue-sentence.js'
import { Problem } from '../base/problem.js'
import type { Operation } from '../operations/operation.js'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'
export const NDJSON_TYPE = 'application/x-ndjson'

/** Other names by which clients ask for lines of JSON. */
const NDJSON_NAMES = [NDJSON_TYPE, 'application/ndjson', 'application/jsonl']

/** The media types an operation answers in, what it prefers first; none where clients don't choose. */
export function answerTypes({ access, answer, lines, table, streams }: Operation): readonly string[] {
  // Probes ask with whatever header they have.
  if (access === 'open' || access === 'metrics' || streams === true) return []
  if (lines !== undefined) return NDJSON_NAMES
  if (answer === undefined) return []
  return table === undefined ? [JSON_TYPE] : [JSON_TYPE, CSV_TYPE]
}

/**
 * The media type that a request is answered in, by its Accept with its weights.
 * @returns undefined where the operation leaves no choice
 * @throws Problem `not_acceptable`
 */
export function answerType(route: Operation, { headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const types = answerTypes(route)
  const { accept = '' } = headers
  if (types.length === 0 || accept.trim() === '') return types[0]
  const [type] = new Negotiator({ headers }).mediaTypes([...types])
  if (type !== undefined) return type
  const names = types.map(name => name.split(';', 1)[0] ?? '')
  const table = names.includes('text/csv') ? '' : '; only what is a table is given as text/csv'
  throw new Problem('not_acceptable', `This is given as ${listed(names)}, none of which Accept takes${table}`)
}
