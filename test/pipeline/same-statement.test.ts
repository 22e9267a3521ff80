import { expect, test } from 'vitest'
import { compile, narrow, parsePipeline } from '../../src/pipeline/index.js'
import { Refusal } from '../../src/pipeline/refusal.js'
import { scope } from '../../src/pipeline/scope.js'
import { callSource } from '../../src/store/duckdb/reading/call-source.js'
import { NOW, recordShape } from '../support/call-engine.js'
import { randomPipeline } from '../support/random-pipeline.js'

// The engine keeps what it has prepared by the text of the statement: the same question must make the same text.

const statement = (pipeline: readonly object[], project: string) => {
  try {
    const parsed = parsePipeline(pipeline, { shape: recordShape, now: NOW })
    return compile(narrow(parsed, scope(project, ['Ann'])), callSource).query.sql
  } catch (error) {
    // Some of them are refused.
    if (error instanceof Refusal) return 'refused'
    throw error
  }
}

test('the same question makes the same statement, in whatever project and after whatever others', () => {
  const pipelines = Array.from({ length: 300 }, (_, seed) => randomPipeline(seed, 6))
  const first = pipelines.map(pipeline => statement(pipeline, 'p'))
  expect(pipelines.toReversed().map(pipeline => statement(pipeline, 'q'))).toEqual(first.toReversed())
  // Lambdas have names of their own, which is where they differed.
  expect(first.filter(text => text.includes('lambda')).length).toBeGreaterThan(10)
})
