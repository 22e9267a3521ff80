import { expect, test } from 'vitest'
import { holdsMoreValues } from '../../src/base/json-weight.js'

const more = (value: string, most: number) => holdsMoreValues(Buffer.from(value), most)

test.each([
  ['[]', 2],
  ['[1,2,3]', 4],
  ['{"a":{"b":[[]]}}', 5],
  [String.raw`["a,b[{","\"[,","\\"]`, 4],
  [String.raw`{"a\"[,":1}`, 2],
])('%s holds no more than %i values', (text, values) => {
  expect(more(text, values)).toBe(false)
  expect(more(text, values - 1)).toBe(true)
})

test('of what is no JSON it makes something of', () => {
  for (const text of ['', '"', '"\\', '[[[']) expect(more(text, 100)).toBe(false)
})
