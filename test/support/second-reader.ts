import { Aggregator } from 'mingo'
import { type Document, parsePipeline, toPlain } from '../../src/pipeline/index.js'
import { readLiteral } from '../../src/pipeline/extended-json.js'
import { NOW, recordShape } from './call-engine.js'
import { callDocuments } from './document-engine.js'
import { type Case, asPipeline } from './pipeline-cases.js'

/** Operators of one operand that mingo does not take in an array. */
const UNARY = new Set(
  (
    'abs acos acosh allElementsTrue anyElementTrue arrayToObject asin asinh atan atanh ceil cos cosh dayOfMonth dayOfWeek ' +
    'dayOfYear degreesToRadians exp first floor hour isArray isNumber isoDayOfWeek isoWeek isoWeekYear last ln log10 ' +
    'millisecond minute month not objectToArray radiansToDegrees reverseArray second sin sinh size sqrt strLenBytes strLenCP ' +
    'tan tanh toBool toDate toDecimal toDouble toInt toLong toLower toString toUpper type week year bitNot'
  )
    .split(' ')
    .map(name => `$${name}`),
)

/** Extended JSON as the JavaScript values mingo takes. */
function revived(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(revived)
  if (typeof json !== 'object' || json === null || json instanceof Date) return json
  if ('$date' in json) return new Date(json.$date as string)
  if ('$numberLong' in json) return Number(json.$numberLong)
  if ('$numberDouble' in json) return Number(json.$numberDouble)
  if ('$regularExpression' in json) {
    const { pattern, options } = json.$regularExpression as { readonly pattern: string; readonly options: string }
    return new RegExp(pattern, options)
  }
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const only = UNARY.has(name) && Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value
      return [name, revived(only)]
    }),
  )
}

/** A value without what JavaScript has no type for: numbers are numbers, cut to nine digits, fields are in no order. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return plain(Number(value))
  if (typeof value === 'number') return Number.isFinite(value) ? Number((value + 0).toPrecision(9)) : String(value)
  if (value instanceof Date) return `date ${value.getTime()}`
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(
    fields.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, plain(field)]),
  )
}

/** Stages that put documents in an order which both hold to. */
const ORDERS = /"\$(sort|setWindowFields|fill|densify|bucket)"/

/** Documents as texts, in their order where the pipeline makes one. */
function texts(documents: readonly unknown[], pipeline: readonly object[], unordered: boolean): readonly string[] {
  const all = documents.map(document => JSON.stringify(plain(document)))
  return unordered || !ORDERS.test(JSON.stringify(pipeline)) ? all.toSorted() : all
}

const plainDocument = (document: Document) => toPlain(document) as Record<string, unknown>

/** Rows that mingo does not end with. */
const ENDLESS = new Set([
  'a step that leaves the dates there are',
  'every match of nothing, but none behind the last character',
  'a match there that is looked for from before',
  'one of nothing in an empty text',
])

/** Whether mingo may read a row: it has a result, the same every time and whenever it is read. */
export function isReadByMingo(one: Case): boolean {
  return (
    !('error' in one) &&
    !ENDLESS.has(one.name) &&
    !/\$sample|\$rand|\$\$NOW/.test(JSON.stringify(asPipeline(one).pipeline))
  )
}

/** How mingo's reading of a row with a result differs from the row's; `undefined` where it is the same. */
export function mingoDiffers(one: Case): string | undefined {
  const { pipeline, documents, calls, result } = asPipeline(one)
  const options = calls === undefined ? { now: NOW } : { now: NOW, shape: recordShape }
  const { stages } = parsePipeline(pipeline, options)
  const given = (documents ?? callDocuments(calls!)).map(plainDocument)
  const unordered = one.unordered === true
  const wanted = texts(
    result!.map((document, i) => plainDocument(readLiteral(document, `result[${i}]`) as Document)),
    pipeline,
    unordered,
  )
  let found: readonly string[]
  try {
    const asked = stages.map(stage => revived(stage.toJson()) as Record<string, unknown>)
    found = texts(new Aggregator(asked, { processingMode: 'CLONE_INPUT' } as never).run(given), pipeline, unordered)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return JSON.stringify(found) === JSON.stringify(wanted) ? undefined : `${found.join(' ')} for ${wanted.join(' ')}`
}
