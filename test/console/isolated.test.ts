import { expect, test } from 'vitest'
import { isolated } from '../../console/texts/isolated.js'

test.each([
  ['Ana <b>& Co</b>', 'Ana <b>& Co</b>'],
  ['سارة', '\u2068سارة\u2069'],
  ['דנה 4', '\u2068דנה 4\u2069'],
])('%s in a sentence is %s: what is written from right to left stays by itself', (name, said) => {
  expect(isolated(name)).toBe(said)
})
