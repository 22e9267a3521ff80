import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Document, evaluate, parsePipeline } from '../../src/pipeline/index.js'
import { rules } from '../../src/pipeline/meaning/rules.js'
import { NOW, recordShape } from '../support/call-engine.js'
import { type DocumentEngine, callDocuments, documentEngine } from '../support/document-engine.js'
import { type Case, asPipeline, comparable, typedTexts } from '../support/pipeline-cases.js'

const folder = new URL('cases/', import.meta.url)

async function tables() {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  return Promise.all(
    files.toSorted().map(async file => {
      const { cases } = (await import(new URL(file, folder).href)) as { cases: readonly Case[] }
      return { file: file.replace(/\.ts$/, ''), cases }
    }),
  )
}

/** The examples of the rules of the language, as rows: what the page shows is run like everything else. */
const examples = rules.map(({ title, rules }) => ({
  file: `rules of ${title.toLowerCase()}: examples`,
  cases: rules.map(({ name, example }): Case => ({ name, ...example })),
}))

let engine: DocumentEngine
beforeAll(async () => {
  engine = await documentEngine()
})
afterAll(() => engine.close())

function evaluated(one: Case) {
  const { pipeline, documents, calls } = asPipeline(one)
  return calls === undefined
    ? evaluate(parsePipeline(pipeline, { now: NOW }), documents!)
    : evaluate(parsePipeline(pipeline, { now: NOW, shape: recordShape }), callDocuments(calls))
}

/** The compiled run of a case; `undefined` where its documents fit no columns and the evaluator's word is enough. */
function compiled(one: Case) {
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

describe.each([...(await tables()), ...examples])('$file', ({ cases }) => {
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
    const run = (json: readonly object[]) => evaluate(parsePipeline(json, options), documents ?? callDocuments(calls!))
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
