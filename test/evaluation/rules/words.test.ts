import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { english } from '../../../src/evaluation/rules/languages/english.js'
import { anyWordsOf, plainWordsOf, wordsOf } from '../../../src/evaluation/rules/words.js'

const said = (text: string) => wordsOf(text, english).words.map(word => word.text)

describe('the words of a text', () => {
  it('are the same in one pass as in any other text, whatever stands in it', () => {
    const words = [
      "don't",
      "I'm",
      "it's",
      "Ana's",
      'OK',
      'x',
      '12',
      '3rd',
      '1,250',
      '69.20',
      'a.b',
      "rock'n'roll",
      'um',
      'Er',
      'the',
      "callin'",
      'on',
      'closed',
    ]
    const between = [' ', ' ', ' ', ', ', '. ', '.', ',', '? ', '\n', '"', "'", '-', '  ', '$', '; ', '\t', '_']
    const part = fc.constantFrom(...words, ...between, '…', 'é', '[noise]', '(', '<unk>')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), parts => {
        const text = parts.join('')
        const plain = plainWordsOf(text, english)
        const isPlain = !/[^\0-\x7f]|[[<(]/.test(text)
        expect(plain).toEqual(isPlain ? anyWordsOf(text, english) : undefined)
      }),
      { numRuns: 3_000 },
    )
  })

  it('are without fillers, and say a small word once that somebody falters over', () => {
    expect(said("so um my my name's Ana")).toEqual(said('so my name is Ana'))
    expect(said("it's it's the the bill")).toEqual(['it', 'is', 'the', 'bill'])
    expect(said('bye bye, no no, nine nine, it is what it is')).toEqual(
      'bye bye no no nine nine it is what it is'.split(' '),
    )
    const [, second] = wordsOf('Yes, er, please', english).words
    expect(second).toMatchObject({ text: 'please', before: 'pause', start: 9, end: 15 })
  })

  it('are written as elsewhere where an accent drops or changes a sound', () => {
    expect(said("I'm callin' 'bout somethin'")).toEqual(said('I am calling about something'))
    expect(said("it cannae, I ain't, aye")).toEqual(['it', 'can', 'not', 'i', 'is', 'not', 'yes'])
  })

  it('are without the s that says whose something is, and with the one that stands for a verb', () => {
    expect(said("Ana's card's blocked, the refund's on its way")).toEqual(
      said('Ana card is blocked, the refund is on its way'),
    )
    expect(said("the prescription's ready, my card's still blocked, the line's dead")).toEqual(
      said('the prescription is ready, my card is still blocked, the line is dead'),
    )
    expect(said("that's the driver's. On")).toEqual('that is the driver on'.split(' '))
  })

  it('are told apart where their hashes are alike, and when more were said than are remembered', () => {
    const many = Array.from({ length: 60_000 }, (_, at) => `zz${at.toString(36)}`)
    expect(said(many.join(' '))).toEqual(many)
    expect(said("I'm ok zz1 zz2")).toEqual(['i', 'am', 'okay', 'zz1', 'zz2'])
  })
})
