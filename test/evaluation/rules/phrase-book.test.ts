import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { english } from '../../../src/evaluation/rules/languages/english.js'
import { PhraseBook } from '../../../src/evaluation/rules/phrase-book.js'
import { parsePhrase } from '../../../src/evaluation/rules/phrase.js'
import { expand, patternOf } from '../../../src/evaluation/rules/vocabulary.js'
import { type Words, wordsOf } from '../../../src/evaluation/rules/words.js'

const NAMES = { company: ['acme', 'bank'], agent: ['ana'] }

/** What a book finds in a text: set, first word and the word after the last, each once. */
function found(book: PhraseBook, how: 'read' | 'readAnew', text: string): readonly string[] {
  return foundIn(book, how, wordsOf(text, english))
}

function foundIn(book: PhraseBook, how: 'read' | 'readAnew', said: Words): readonly string[] {
  return [...new Set(hitsOf(book[how](said, NAMES)))].toSorted()
}

/** Hits as texts, in the order in which they are given. */
function hitsOf(given: readonly number[]): readonly string[] {
  return Array.from({ length: given.length / 3 }, (_, hit) => given.slice(hit * 3, hit * 3 + 3).join(' '))
}

function bookOf(sets: readonly (readonly string[])[]): PhraseBook {
  const book = new PhraseBook()
  for (const [set, phrases] of sets.entries()) {
    book.add(
      set,
      phrases.map(phrase => parsePhrase(phrase, english)),
    )
  }
  return book
}

const word = fc.constantFrom('a', 'b', 'c', 'd', 'seven', '12', 'bank')
const piece = fc.constantFrom(
  'a',
  'b',
  'c',
  '*',
  '~',
  '|',
  '[a]',
  '(a|b c)',
  '[b *]',
  '(a|[c] b)',
  '{number}',
  '{agent}',
  '[{agent}]',
  '(b|{agent})',
)
const phrase = fc
  .array(piece, { minLength: 1, maxLength: 5 })
  .map(pieces => `a ${pieces.join(' ')}`)
  .chain(text => fc.constantFrom(text, text.slice(2), `${text} {company}`))
  .filter(text => /[abc]|\{/.test(text.replaceAll(/\[[^\]]*\]/g, '')) && !text.startsWith('|'))
const text = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ' ', ' ', ', ', '. ', ' [inaudible] ')), { maxLength: 12 })
  .map(parts => parts.flat().join(''))

describe('a book of phrases', () => {
  it('finds names, which differ from call to call', () => {
    const book = bookOf([['this is {agent}', '{company}']])
    expect(found(book, 'read', 'this is ana of acme bank')).toEqual(['0 0 3', '0 4 6'])
    expect(found(book, 'read', 'this is ben of west bank')).toEqual([])
  })

  it('finds what may be said instead of a name where no name is said', () => {
    const book = bookOf([['thanks ({agent}|love) [{company}] bye']])
    expect(found(book, 'read', 'thanks love bye')).toEqual(['0 0 3'])
    expect(found(book, 'read', 'thanks ana acme bye')).toEqual(['0 0 4'])
    expect(hitsOf(book.read(wordsOf('ana thanks love bye', english), NAMES))).toEqual(['0 1 4'])
  })

  it('finds with remembered steps what it finds without, whatever the phrases and texts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(phrase, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        fc.array(text, { maxLength: 6 }),
        (sets, texts) => {
          const book = bookOf(sets)
          for (const [place, one] of texts.entries()) {
            const anew = found(book, 'readAnew', one)
            expect(found(book, 'read', one)).toEqual(anew)
            // What is found in words that are kept is kept by them: found, and given again.
            const kept = { ...wordsOf(one, english), kept: place % 2 }
            for (let times = 0; times < 2; times += 1) expect(foundIn(book, 'read', kept)).toEqual(anew)
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('finds the same whether alternatives stand in one phrase or each in one of its own', () => {
    const options = fc.array(fc.constantFrom('b', 'c', 'd', 'seven', 'b c', 'c d', 'b *'), {
      minLength: 1,
      maxLength: 3,
    })
    const sets = fc.array(fc.array(fc.array(options, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 3,
    })
    const together = (phrase: readonly (readonly string[])[]) => phrase.map(one => `(${one.join('|')})`).join(' ')
    const apart = (phrase: readonly (readonly string[])[]) =>
      phrase.reduce<readonly string[]>((ways, one) => ways.flatMap(way => one.map(next => `${way} ${next}`)), [''])
    fc.assert(
      fc.property(sets, fc.array(text, { maxLength: 4 }), (all, texts) => {
        const one = bookOf(all.map(phrases => phrases.map(together)))
        const each = bookOf(all.map(phrases => phrases.flatMap(apart)))
        for (const said of texts) expect(found(one, 'read', said)).toEqual(found(each, 'read', said))
      }),
      { numRuns: 300 },
    )
  })

  it('and with the phrases of the default rubric', () => {
    const { lists } = defaultRubric.rubric
    const sets = Object.values(lists).map(list => expand(list, lists).filter(entry => patternOf(entry) === undefined))
    const book = bookOf(sets)
    const words = [...new Set(sets.flat().flatMap(entry => wordsOf(entry, english).words.map(one => one.text)))]
    const spoken = fc
      .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ' ', ' ', ' ', ', ', '. ')), { maxLength: 25 })
      .map(parts => parts.flat().join(''))
    fc.assert(
      fc.property(spoken, one => {
        expect(found(book, 'read', one)).toEqual(found(book, 'readAnew', one))
      }),
      { numRuns: 300 },
    )
  })
})
