import { expect, test } from 'vitest'
import { compile, narrow, parsePipeline } from '../../src/pipeline/index.js'
import { scope } from '../../src/pipeline/scope.js'
import { callSource } from '../../src/store/duckdb/reading/call-source.js'
import { NOW, recordShape } from '../support/call-engine.js'

const keys = { $map: { input: '$signals', in: { $concat: ['$$this.key', '?'] } } }
const states = { $map: { input: '$signals', in: { $concat: ['$$this.state', '!'] } } }

// What stands inside a lambda the engine computes again for each element.
test.each([
  [{ $setDifference: [keys, states] }],
  [{ $zip: { inputs: [keys, states] } }],
  [{ $zip: { inputs: [keys, states], useLongestLength: true } }],
])('%j computes its operands once', expression => {
  const parsed = parsePipeline([{ $project: { made: expression } }], { shape: recordShape, now: NOW })
  const { query, engineStages } = compile(narrow(parsed, scope('p', ['Ann'])), callSource)
  expect(engineStages).toBe(1)
  const marks = (query.params ?? []).flatMap((value, i) => (value === '?' || value === '!' ? [`$${i + 1}::`] : []))
  expect(marks.map(mark => query.sql.split(mark).length - 1)).toEqual([1, 1])
})
