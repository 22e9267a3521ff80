import { expect, test } from 'vitest'
import { FormTable } from '../../../src/evaluation/rules/form-table.js'
import { english } from '../../../src/evaluation/rules/languages/english.js'

const words = Array.from({ length: 1_000 }, (_, n) => `word${n}`)

test('a word is remembered as it is written, wherever it stands', () => {
  const asked: string[] = []
  const table = new FormTable(written => {
    asked.push(written)
    return [written.toLowerCase()]
  }, english.numbers)
  const text = 'Yes yes Yes'
  const [first] = table.at(text, 0, 3, 1)
  expect(first).toEqual({ text: 'yes', number: 0, kind: 'word', stem: undefined })
  // Equal words are one, however they are written.
  expect(table.at(text, 4, 7, 2)[0]).toBe(first)
  expect(table.at(text, 8, 11, 1)[0]).toBe(first)
  expect(asked).toEqual(['Yes', 'yes'])
})

test('words made to have one hash are all read right, and few of them are remembered', () => {
  let asked = 0
  const table = new FormTable(written => {
    asked += 1
    return [written]
  }, english.numbers)
  const read = () => words.map(word => table.at(word, 0, word.length, 7)[0]?.text)
  expect(read()).toEqual(words)
  expect(asked).toBe(words.length)
  expect(read()).toEqual(words)
  // Looking for a word at each place of the others would take the square of their number.
  expect(asked).toBeGreaterThan(words.length * 1.9)
})
