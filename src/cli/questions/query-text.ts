import type { AnswerOf } from '../../control/client.js'
import type { toolOperations } from '../../operations/ask-questions.js'
import { count } from '../figures.js'
import type { Screen } from '../screen.js'
import { tableText } from '../table-text.js'
import { wrapped } from './shared-text.js'

type Found = AnswerOf<(typeof toolOperations)['query_interactions']>

/** What a pipeline found, for a reader: a row a document, a column a field. */
export function queryText(answer: Found, screen: Screen): string {
  const { documents, pipeline, plan, warnings, elapsed_ms: elapsed } = answer
  const notes = warnings.map(text => wrapped(text, screen)).join('')
  const ran = `${plan.engine_stages} stages in the engine, ${plan.evaluated_stages} after it, ${count(elapsed)} ms\n`
  if (documents === undefined)
    return `${(pipeline ?? []).map(stage => `${JSON.stringify(stage)}\n`).join('')}\n${notes}${ran}`
  const cut = answer.truncated === true ? ', and there are more' : ''
  const shown = `${count(documents.length)} ${documents.length === 1 ? 'document' : 'documents'}${cut}; ${ran}`
  if (documents.length === 0) return `${notes}${shown}`
  const fields = [...new Set(documents.flatMap(document => Object.keys(document)))]
  const numbers = fields.filter(name =>
    documents.every(one => one[name] === undefined || typeof one[name] === 'number'),
  )
  const rows = documents.map(document => fields.map(name => cell(document[name])))
  return `${tableText(fields, rows, screen.width, numbers)}\n${notes}${shown}`
}

/** Digits behind the point that a reader is shown. */
const DECIMALS = 4

/** A value in a line: texts as they are, numbers short, the others as JSON. */
function cell(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(Number(value.toFixed(DECIMALS)))
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ')
}
