import { expect, test } from 'vitest'
import { figure, probability } from '../../src/questions/figure.js'

test.each([
  [2 / 3, 0.6667],
  [4.2 - 3.7, 0.5],
  [-1 / 3, -0.3333],
  [2911.61999, 2911.62],
  [0, 0],
])('%d leaves as %d', (computed, left) => {
  expect(figure.parse(computed)).toBe(left)
})

test.each([
  [0.04999999, 0.05],
  [1.23456e-12, 1.235e-12],
  [1, 1],
])('a probability of %d leaves as %d: the smallest stay apart', (computed, left) => {
  expect(probability.parse(computed)).toBe(left)
})
