import { readLiteral } from '../../src/pipeline/extended-json.js'
import { type Document, toExtended } from '../../src/pipeline/index.js'
import { type Value, Double, isArray, isDocument, isInt } from '../../src/pipeline/value.js'

/**
 * A row of a case table: what a pipeline, or one expression, gives. Values are extended JSON. Every case runs through
 * the evaluator and, where the documents fit typed columns, through the compiled SQL on a real engine.
 */
export type Case = {
  readonly name: string
  /** The rule of the language that it would break (test/pipeline/rules.yaml). */
  readonly rule?: string
  /** The order of the result is free. */
  readonly unordered?: true
  /** Every stage must run in the engine. */
  readonly wholeInEngine?: true
} & Input &
  Outcome

type Input =
  /** Free documents, such as `{a: [1, 2]}`; none given means one empty document. */
  | { readonly pipeline: readonly object[]; readonly documents?: readonly object[] }
  /** Call records without what every call has: session_id (c0, c1 …), agent_name (Ana) and created_dt are filled in. */
  | { readonly pipeline: readonly object[]; readonly calls: readonly object[] }
  /** One expression over one document (an empty one when none is given); `undefined` as the result means missing. */
  | { readonly expression: unknown; readonly document?: object }

type Outcome = { readonly result: unknown } | { /** Part of the sentence. */ readonly error: string | RegExp }

/** A case with its expression, if it is one, as a pipeline. */
export interface PipelineCase {
  readonly pipeline: readonly object[]
  readonly documents: readonly Document[] | undefined
  readonly calls: readonly object[] | undefined
  readonly result: readonly unknown[] | undefined
  readonly error: string | RegExp | undefined
}

export function asPipeline(one: Case): PipelineCase {
  const error = 'error' in one ? one.error : undefined
  if ('expression' in one) {
    const result = 'result' in one ? [one.result === undefined ? {} : { value: one.result }] : undefined
    return {
      pipeline: [{ $project: { _id: 0, value: one.expression } }],
      documents: readDocuments([one.document ?? {}]),
      calls: undefined,
      result,
      error,
    }
  }
  const calls = 'calls' in one ? one.calls : undefined
  return {
    pipeline: one.pipeline,
    documents: calls === undefined ? readDocuments('documents' in one ? (one.documents ?? [{}]) : [{}]) : undefined,
    calls,
    result: 'result' in one ? (one.result as readonly unknown[]) : undefined,
    error,
  }
}

function readDocuments(json: readonly object[]): readonly Document[] {
  return json.map((document, i) => readLiteral(document, `documents[${i}]`) as Document)
}

/** A result as extended JSON, doubles cut to ten digits, so that two ways of adding them compare equal. */
export function comparable(
  documents: readonly (Document | object)[],
  unordered: boolean | undefined,
): readonly unknown[] {
  const plain = documents.map(document => rounded(toExtended(readLiteral(document, 'result'))))
  return unordered === true ? plain.toSorted((a, b) => compareTexts(JSON.stringify(a), JSON.stringify(b))) : plain
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function rounded(json: unknown): unknown {
  if (typeof json === 'number') return Number.isInteger(json) ? json + 0 : Number(json.toPrecision(10))
  if (Array.isArray(json)) return json.map(rounded)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, rounded(value)]))
}

/**
 * A value as text that shows its types: an integer and a double of the same value differ, the width of integers does not.
 * Fields are sorted: the engine keeps a field that is set in its column's place, also where a document lacked it.
 */
export function typedText(value: Value): string {
  if (value instanceof Double) return doubleText(value.value)
  if (typeof value === 'bigint') return `integer(${value})`
  if (typeof value === 'number') {
    return isInt(value) ? `integer(${value})` : doubleText(value)
  }
  if (isArray(value)) return `[${value.map(typedText).join(', ')}]`
  if (isDocument(value)) {
    return `{${Object.entries(value)
      .toSorted(([a], [b]) => compareTexts(a, b))
      .map(([name, item]) => `${JSON.stringify(name)}: ${typedText(item)}`)
      .join(', ')}}`
  }
  return value instanceof Date ? `date(${value.toISOString()})` : JSON.stringify(value)
}

/** Nine digits: what was added up another way differs behind them. Minus zero is zero. */
const doubleText = (value: number) => `double(${Number.isFinite(value) ? (value + 0).toPrecision(9) : value})`

/** Results as typed texts, in order or as a multiset. */
export function typedTexts(documents: readonly Document[], unordered: boolean | undefined): readonly string[] {
  const texts = documents.map(typedText)
  return unordered === true ? texts.toSorted(compareTexts) : texts
}
