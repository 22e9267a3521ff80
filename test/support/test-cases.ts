import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Document, evaluate, parsePipeline } from '../../src/pipeline/index.js'
import { NOW, recordShape } from './call-engine.js'
import { type DocumentEngine, callDocuments, documentEngine } from './document-engine.js'
import { type Case, asPipeline, comparable, typedTexts } from './pipeline-cases.js'

const tablesOfAll = new URL('../pipeline/cases/', import.meta.url)

/** What a row of tests is named after, and its cases. */
interface Table {
  readonly file: string
  readonly cases: readonly Case[]
}

async function tables(kind: string): Promise<readonly Table[]> {
  const folder = new URL(`${kind}/`, tablesOfAll)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  return Promise.all(
    files.toSorted().map(async file => {
      const { cases } = (await import(new URL(file, folder).href)) as { cases: readonly Case[] }
      return { file: `${kind}/${file.replace(/\.ts$/, '')}`, cases }
    }),
  )
}

function evaluated(one: Case) {
  const { pipeline, documents, calls } = asPipeline(one)
  return calls === undefined
    ? evaluate(parsePipeline(pipeline, { now: NOW }), documents!)
    : evaluate(parsePipeline(pipeline, { now: NOW, shape: recordShape }), callDocuments(calls))
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

  describe.each([...(await tables(kind)), ...more])('$file', ({ cases }) => {
    test.each(cases.filter(one => !fails(one)))('$name', one => {
      const wanted = asPipeline(one).result as object[]
      expect(comparable(evaluated(one), one.unordered)).toEqual(comparable(wanted, one.unordered))
      // In the order of their fields too.
      expect(text(evaluated(one), one)).toBe(text(wanted, one))
    })

    test.each(cases.filter(one => !fails(one)))('$name, compiled', async one => {
      const run = await compiled(one)
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
      const run = (json: readonly object[]) =>
        evaluate(parsePipeline(json, options), documents ?? callDocuments(calls!))
      expect(typedTexts(run(printed), one.unordered)).toEqual(typedTexts(run(pipeline), one.unordered))
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
}
