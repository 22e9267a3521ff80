import { Problem } from '../../src/base/problem.js'
import type { Document, Value } from '../../src/pipeline/index.js'
import { Double, isArray, isDocument, isInt, isNumeric, toNumber } from '../../src/pipeline/value.js'
import type { CallEngine } from './call-engine.js'
import { typedText } from './pipeline-cases.js'

/** How near two doubles must be, since they may have been added in another order. */
const TOLERANCE = 1e-9

const isInteger = (value: Value): value is number | bigint => typeof value === 'bigint' || isInt(value)

const sameWhole = (a: number | bigint, b: number | bigint) => BigInt(a) === BigInt(b)

/** Whether two values are the same with their types, doubles nearly. */
function agree(a: Value, b: Value): boolean {
  if (isNumeric(a) && isNumeric(b)) {
    if (isInteger(a) || isInteger(b)) return isInteger(a) && isInteger(b) && sameWhole(a, b)
    const [x, y] = [toNumber(a), toNumber(b)]
    return Object.is(x + 0, y + 0) || Math.abs(x - y) <= TOLERANCE * Math.max(1, Math.abs(x), Math.abs(y))
  }
  if (isArray(a) && isArray(b)) return a.length === b.length && a.every((item, i) => agree(item, b[i]!))
  if (isDocument(a) && isDocument(b)) {
    const names = Object.keys(a)
    return (
      names.length === Object.keys(b).length && names.every(name => Object.hasOwn(b, name) && agree(a[name]!, b[name]!))
    )
  }
  return a instanceof Double || b instanceof Double ? false : typedText(a) === typedText(b)
}

/** Documents in an order that near doubles do not change. */
function sorted(documents: readonly Document[]): readonly Document[] {
  const keyed = documents.map(document => ({
    document,
    key: typedText(document).replaceAll(/double\([^)]*\)/g, coarse),
  }))
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ document }) => document)
}

const coarse = (text: string) => `double(${Number(text.slice(7, -1)).toPrecision(4)})`

/** A document of the evaluator's for each of the engine's: they need not be in the same order. */
function sameDocuments(a: readonly Document[], b: readonly Document[]): boolean {
  if (a.length !== b.length) return false
  const [left, right] = [sorted(a), sorted(b)]
  if (left.every((document, i) => agree(document, right[i]!))) return true
  const rest = [...right]
  return left.every(document => {
    const place = rest.findIndex(other => agree(document, other))
    if (place === -1) return false
    rest.splice(place, 1)
    return true
  })
}

type Outcome = { readonly documents: readonly Document[] } | { readonly problem: string }

async function outcome(run: () => Promise<readonly Document[]> | readonly Document[]): Promise<Outcome> {
  try {
    return { documents: await run() }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message }
    throw error
  }
}

const inOrder = (a: readonly Document[], b: readonly Document[]) =>
  a.length === b.length && a.every((document, i) => agree(document, b[i]!))

/**
 * How the engine's answer differs from the evaluator's, or `undefined` when they agree.
 * @param ordered the documents come in one order only
 */
export async function disagreement(
  engine: Pick<CallEngine, 'compiled'> & { evaluated(pipeline: unknown): ReturnType<Parameters<typeof outcome>[0]> },
  pipeline: readonly object[],
  ordered = false,
): Promise<string | undefined> {
  const wanted = await outcome(() => engine.evaluated(pipeline))
  let stages = ''
  const found = await outcome(async () => {
    const run = await engine.compiled(pipeline)
    stages = `${run.engineStages} stages in the engine\n${run.sql}`
    return run.documents
  })
  // Which of several failures is told is free; that one is told is not.
  const same =
    'documents' in wanted && 'documents' in found
      ? (ordered ? inOrder : sameDocuments)(wanted.documents, found.documents)
      : 'problem' in wanted && 'problem' in found
  const show = (one: Outcome) =>
    'problem' in one
      ? one.problem
      : (ordered ? one.documents : sorted(one.documents)).map(typedText).join('\n           ')
  return same ? undefined : `evaluated: ${show(wanted)}\ncompiled:  ${show(found)}\n${stages}`
}
