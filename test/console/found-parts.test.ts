import { expect, test } from 'vitest'
import { foundParts } from '../../console/look/found-parts.js'

const marked = (text: string, search: string) => foundParts(text, search).filter((_, at) => at % 2 === 1)

test.each([
  ['Lost my card, the CARD is gone', 'card', ['card', 'CARD']],
  ['Cancelación de la línea', 'cancelacion LÍNEA', ['Cancelación', 'línea']],
  ['Fragt nach der RÜCKERSTATTUNG', 'ruckerstattung', ['RÜCKERSTATTUNG']],
  ['Tôi muốn hoàn tiền', '"hoan tien"', ['hoàn tiền']],
  ['your\u00a0 card', '"your card"', ['your\u00a0 card']],
  ['ΛΆΘΟΣ λάθος', 'λαθος', ['ΛΆΘΟΣ', 'λάθος']],
  ['Die STRASSE, eine Straße', 'straße', ['STRASSE', 'Straße']],
  ['환불을 원합니다', '환불', ['환불']],
  // A part of a syllable is no letter of its own.
  ['환불', '화', []],
  ['返金をお願い', '返金', ['返金']],
  ['मुझे रिफंड चाहिए', 'रिफंड', ['रिफंड']],
  ['costs 12.50 (net) a/b', '12.50 (net) a/b', ['12.50', '(net)', 'a/b']],
  ['1x50', '1.50', []],
  ['nothing', '', []],
  ['nothing', '""', []],
])('of %j what %j finds is marked', (text, search, found) => {
  expect(marked(text, search)).toEqual(found)
  expect(foundParts(text, search).join('')).toBe(text)
})

test('a letter with more marks than any script writes keeps nobody waiting', () => {
  const text = `card a${'\u0301\u0316'.repeat(200_000)}`
  expect(foundParts(text, 'card')).toEqual([text])
})
