import { DuckDBInstance } from '@duckdb/node-api'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { readTimestamp } from '../../src/pipeline/compile/decode.js'

/** The dates that both JavaScript and the engine hold, in milliseconds. */
const FIRST = -8_640_000_000_000_000
const LAST = 8_640_000_000_000_000

test('every date is read back from the text the engine writes of it', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  onTestFinished(() => instance.closeSync())
  const connection = await instance.connect()
  const near = fc.integer({ min: -62_200_000_000_000, max: 253_500_000_000_000 })
  const drawn = fc.sample(fc.oneof(near, fc.integer({ min: FIRST, max: LAST })), { seed: 3, numRuns: 400 })
  const millis = [0, -1, 1, 999, -62_135_596_800_000, -62_135_596_800_001, FIRST, LAST, ...drawn]
  const list = millis.map(one => `epoch_ms(${one}::bigint)`).join(', ')
  const [[texts] = []] = (await connection.runAndReadAll(`select to_json([${list}])::varchar`)).getRowsJS()
  const read = (JSON.parse(texts as string) as readonly string[]).map(text => readTimestamp(text).getTime())
  expect(read).toEqual(millis)
})
