import { describe, expect, test } from 'vitest'
import { shapeOf } from '../../../../src/ingest/formats/shape/shape-of.js'

describe('the fields that the beginning of a text has', () => {
  test('are told by their paths, each with the first plain value met there', () => {
    const shape = shapeOf(
      '{"id": 7, "turns": [{"who": "a", "at": [1, 2]}, {"who": "b", "said": "x"}], "more": {"is": tr',
    )
    expect([...shape]).toEqual([
      ['id', '7'],
      ['turns', undefined],
      ['turns[]', undefined],
      ['turns[].who', 'a'],
      ['turns[].at', undefined],
      ['turns[].at[]', '1'],
      ['turns[].said', 'x'],
      ['more', undefined],
      ['more.is', 'tr'],
    ])
  })

  test('are no longer the more lists stand side by side that no comma parts', () => {
    const shape = shapeOf(`{"a":1,${'[a]'.repeat(50)}`)
    expect([...shape.keys()]).toEqual(['a', 'a[]'])
  })
})
