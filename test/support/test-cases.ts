import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Document, evaluate, parsePipeline } from '../../src/pipeline/index.js'
import { type Table, caseTables } from './case-tables.js'
import { NOW, recordShape } from './call-engine.js'
import { type DocumentEngine, callDocuments, documentEngine } from './document-engine.js'
import { type Case, asPipeline, comparable, typedTexts } from './pipeline-cases.js'
import { isReadByMingo, mingoDiffers } from './second-reader.js'

/**
 * So many rows of a kind have nothing beside them but the evaluator: neither the engine nor mingo reads them as they say. What
 * stands in MongoDB's own tests has those as its reader.
 */
const READ_BY_ONE: Readonly<Record<string, number>> = {
  accumulators: 9,
  expressions: 84,
  match: 3,
  rules: 12,
  stages: 19,
  windows: 3,
}

/** What the evaluator gave for a case, which all its tests look at. */
const known = new WeakMap<Case, readonly Document[]>()

function evaluated(one: Case): readonly Document[] {
  const { pipeline, documents, calls } = asPipeline(one)
  const found =
    known.get(one) ??
    (calls === undefined
      ? evaluate(parsePipeline(pipeline, { now: NOW }), documents!)
      : evaluate(parsePipeline(pipeline, { now: NOW, shape: recordShape }), callDocuments(calls)))
  known.set(one, found)
  return found
}

/** The compiled run of a case; `undefined` where its documents fit no columns and the evaluator's word is enough. */
function compiledBy(engine: DocumentEngine, one: Case) {
  const { pipeline, documents, calls } = asPipeline(one)
  return calls === undefined ? engine.documents(documents!, pipeline) : engine.calls(calls, pipeline)
}

/** Documents as text, in which the order of fields counts. */
const text = (documents: readonly object[], one: Case) => JSON.stringify(comparable(documents, one.unordered))

/** What the engine and the evaluator must agree in: values with their types, and the order of fields. */
const texts = (documents: readonly Document[], one: Case) => ({
  typed: typedTexts(documents, one.unordered),
  fields: text(documents, one),
})

const fails = (one: Case) => 'error' in one

/** Whether each run gives something else. */
const draws = (one: Case) => /\$sample|\$rand/.test(JSON.stringify(asPipeline(one).pipeline))

/**
 * The tests of the case tables below test/pipeline/cases/<kind>/, by what they mean and by what they compile to.
 * @param more tables that stand elsewhere
 */
export async function testCases(kind: string, more: readonly Table[] = []): Promise<void> {
  let engine: DocumentEngine
  beforeAll(async () => {
    engine = await documentEngine()
  })
  afterAll(() => engine.close())
  const compiled = (one: Case) => compiledBy(engine, one)

  const tables = [...(await caseTables(kind)), ...more]
  /** Rows with a result: how many ran compiled so far, and those that nobody but the evaluator has read. */
  let compiledRows = 0
  const readByOne: string[] = []

  describe.each(tables)('$file', ({ file, cases }) => {
    test.each(cases.filter(one => !fails(one)))('$name', one => {
      const wanted = asPipeline(one).result as object[]
      expect(comparable(evaluated(one), one.unordered)).toEqual(comparable(wanted, one.unordered))
      // In the order of their fields too.
      expect(text(evaluated(one), one)).toBe(text(wanted, one))
    })

    test.each(cases.filter(one => !fails(one)))('$name, compiled', async one => {
      const run = await compiled(one)
      compiledRows += 1
      const isAlone = (run?.engineStages ?? 0) === 0 && kind !== 'mongodb'
      if (isAlone && !(isReadByMingo(one) && mingoDiffers(one) === undefined)) readByOne.push(`${file}: ${one.name}`)
      // Documents that fit no columns show nothing of the engine.
      const shown = run !== undefined || one.wholeInEngine === true
      const stages = one.wholeInEngine === true ? asPipeline(one).pipeline.length : run?.engineStages
      expect(run && { stages: run.engineStages, ...texts(run.documents, one) }).toEqual(
        shown ? { stages, ...texts(evaluated(one), one) } : undefined,
      )
    })

    test.each(cases.filter(one => !fails(one) && !draws(one)))('$name, printed as JSON', one => {
      const { pipeline, documents, calls } = asPipeline(one)
      const options = calls === undefined ? { now: NOW } : { now: NOW, shape: recordShape }
      const printed = parsePipeline(pipeline, options).stages.map(stage => stage.toJson())
      const run = evaluate(parsePipeline(printed, options), documents ?? callDocuments(calls!))
      expect(typedTexts(run, one.unordered)).toEqual(typedTexts(evaluated(one), one.unordered))
    })

    test.each(cases.filter(fails))('$name', one => {
      expect(() => evaluated(one)).toThrow(asPipeline(one).error)
    })

    test.each(cases.filter(fails))('$name, compiled', async one => {
      const { error } = asPipeline(one)
      const failing = compiled(one).then(run => {
        if (run === undefined) evaluated(one)
      })
      await expect(failing).rejects.toThrow(error)
    })
  })

  test(`nearly every row of ${kind} has a second reader`, () => {
    const all = tables.flatMap(({ cases }) => cases.filter(one => !fails(one))).length
    // Only where all rows were run.
    if (compiledRows < all) return
    process.stderr.write(`${kind}: ${readByOne.length} of ${all} rows with a result are read by the evaluator alone\n`)
    const most = READ_BY_ONE[kind] ?? 0
    expect({ most, rows: readByOne.slice(most) }).toEqual({ most, rows: [] })
  })
}
