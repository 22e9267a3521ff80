import { expect, test } from 'vitest'
import { TextsAgain } from '../../../src/evaluation/rules/texts-again.js'

function counting() {
  const texts = new TextsAgain<{ readonly text: string; readonly kept: number }>()
  let made = 0
  const of = (text: string) =>
    texts.of(text, (one, kept) => {
      made += 1
      return { text: one, kept }
    })
  return { of, made: () => made }
}

test('what is said once is not kept, what is said again is, from its second time on', () => {
  const { of, made } = counting()
  expect(of('Okay.')).toEqual({ text: 'Okay.', kept: -1 })
  const second = of('Okay.')
  expect(second).toEqual({ text: 'Okay.', kept: 0 })
  expect([of('Hello?'), of('Hello?')].map(({ kept }) => kept)).toEqual([-1, 1])
  expect(of('Okay.')).toBe(second)
  expect(made()).toBe(4)
})

test('long texts are never kept, and all are forgotten when there are too many', () => {
  const { of, made } = counting()
  const long = 'so '.repeat(100)
  for (let times = 0; times < 3; times += 1) expect(of(long).kept).toBe(-1)
  expect(made()).toBe(3)
  const first = [of('Hello?'), of('Hello?')][1]
  for (let other = 0; other < 5_000; other += 1) for (let times = 0; times < 2; times += 1) of(`text ${other}`)
  expect(of('Hello?')).not.toBe(first)
})
