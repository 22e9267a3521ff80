import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evaluate, parsePipeline } from '../../src/pipeline/index.js'
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

const fails = (one: Case) => 'error' in one

describe.each(await tables())('$file', ({ cases }) => {
  test.each(cases.filter(one => !fails(one)))('$name', one => {
    const wanted = asPipeline(one).result as object[]
    expect(comparable(evaluated(one), one.unordered)).toEqual(comparable(wanted, one.unordered))
  })

  test.each(cases.filter(one => !fails(one)))('$name, compiled', async one => {
    const run = await compiled(one)
    const stages = one.wholeInEngine === true ? asPipeline(one).pipeline.length : run?.engineStages
    const wanted = run && { stages, documents: typedTexts(evaluated(one), one.unordered) }
    expect(run && { stages: run.engineStages, documents: typedTexts(run.documents, one.unordered) }).toEqual(wanted)
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
