import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyWordsOf, plainWordsOf, wordsOf } from '../../../src/evaluation/rules/words.js'

const said = (text: string) => wordsOf(text).words.map(word => word.text)

describe('the words of a text', () => {
  it('are the same in one pass as in any other text, whatever stands in it', () => {
    const words = ["don't", "I'm", "it's", "Ana's", 'OK', 'x', '12', '3rd', '1,250', '69.20', 'a.b', "rock'n'roll"]
    const between = [' ', ' ', ' ', ', ', '. ', '.', ',', '? ', '\n', '"', "'", '-', '  ', '$', '; ', '\t', '_']
    const part = fc.constantFrom(...words, ...between, '…', 'é', '[noise]', '(', '<unk>')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), parts => {
        const text = parts.join('')
        const plain = plainWordsOf(text)
        const isPlain = !/[^\0-\x7f]|[[<(]/.test(text)
        expect(plain).toEqual(isPlain ? anyWordsOf(text) : undefined)
      }),
      { numRuns: 3_000 },
    )
  })

  it('are told apart where their hashes are alike, and when more were said than are remembered', () => {
    const many = Array.from({ length: 60_000 }, (_, at) => `zz${at.toString(36)}`)
    expect(said(many.join(' '))).toEqual(many)
    expect(said("I'm ok zz1 zz2")).toEqual(['i', 'am', 'okay', 'zz1', 'zz2'])
  })
})
