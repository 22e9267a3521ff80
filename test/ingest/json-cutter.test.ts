import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CutValue, JsonCutter } from '../../src/ingest/json-cutter.js'

/** Cuts a text that arrives in chunks of that size. */
function cutting(text: string, size = 4, limit = 1_000) {
  const cutter = new JsonCutter(limit)
  const bytes = Buffer.from(text)
  const values: CutValue[] = []
  for (let at = 0; at < bytes.length; at += size) values.push(...cutter.push(bytes.subarray(at, at + size)))
  return {
    values: values.map(({ line, index, bytes: cut }) => ({ line, index, text: cut?.toString() })),
    end: cutter.end(),
  }
}

describe('JsonCutter', () => {
  it('finds the elements of an array with their lines', () => {
    const { values, end } = cutting('[\n {"a": "]}"},\n\n {"b": [1, {"c": "\\"["}]},\n 7, "x,y", null\n]\n')
    expect(values).toEqual([
      { line: 2, index: 0, text: '{"a": "]}"}' },
      { line: 4, index: 1, text: '{"b": [1, {"c": "\\"["}]}' },
      { line: 5, index: 2, text: '7' },
      { line: 5, index: 3, text: '"x,y"' },
      { line: 5, index: 4, text: 'null' },
    ])
    expect(end).toBeUndefined()
  })

  it('loses one element to a string that is not closed', () => {
    const { values } = cutting('[{"a": "broken},\n{"a": 1},\n{"a": 2}]')
    expect(values.slice(1)).toEqual([
      { line: 2, index: 1, text: '{"a": 1}' },
      { line: 3, index: 2, text: '{"a": 2}' },
    ])
  })

  it('passes over an element beyond the limit', () => {
    const { values } = cutting(`[{"a":"${'x'.repeat(200)}"},{"b":1}]`, 16, 50)
    expect(values).toEqual([
      { line: 1, index: 0, text: undefined },
      { line: 1, index: 1, text: '{"b":1}' },
    ])
  })

  it('tells what the input ended in the middle of', () => {
    expect(cutting('[{"a":1}').end).toEqual({ line: 1, value: undefined })
    expect(cutting('[\n{"a":1},\n{"a"').end).toMatchObject({ line: 3, value: { index: 1 } })
  })

  it('cuts any array as JSON.parse would, wherever the chunks break', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 9 }), fc.boolean(), (values, size, pretty) => {
        const text = JSON.stringify(values, null, pretty ? 2 : 0)
        const cut = cutting(text, size, 1_000_000).values.map(value => JSON.parse(value.text ?? '') as unknown)
        expect(cut).toEqual(JSON.parse(text))
      }),
    )
  })
})
