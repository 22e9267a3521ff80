import { describe, expect, it } from 'vitest'
import { languageNamed, likeliestLanguage } from '../../../src/evaluation/rules/languages/languages.js'
import { readNumber } from '../../../src/evaluation/rules/numbers.js'
import { wordsOf } from '../../../src/evaluation/rules/words.js'

const said = (code: string, text: string) => wordsOf(text, languageNamed(code)).words.map(word => word.text)
const number = (code: string, text: string) => {
  const { numbers } = languageNamed(code)
  return readNumber(wordsOf(text, languageNamed(code)).words, 0, numbers)?.digits
}

describe('words of a language', () => {
  it.each([
    ['de', 'Wär’s möglich, äh, im Büro?', 'waere es moeglich im buero', 'wäre es möglich im Büro'],
    ['de', 'Ich hab gern nochmal gefragt', 'ich habe gerne noch mal gefragt', 'ich habe gerne noch mal gefragt'],
    ['de', 'Strasse', 'strasse', 'Straße'],
    ['es', '¿Qué pasó, eh, con la señora?', 'que paso con la senora', 'que paso con la senora'],
    ['es', 'un momentito', 'un momento', 'un momento'],
    ['en', "I'm in, um, the the office", 'i am in the office', 'i am in the office'],
    // Nobody told the rules about French.
    ['fr', "J'ai um um appelé", 'jai um um appelé', "j'ai um um appelé"],
  ])('%s: "%s" is read as it is meant', (code, text, words, other) => {
    expect(said(code, text)).toEqual(words.split(' '))
    expect(said(code, other)).toEqual(said(code, words))
  })

  it.each([
    ['de', 'dreiundzwanzig', '23'],
    ['de', 'zweihundertfünfzig Euro', '250'],
    ['de', 'hundert', '100'],
    ['de', 'null eins sieben', '017'],
    ['de', 'dritten Mai', '3'],
    ['de', 'dritten Anruf', undefined],
    ['es', 'treinta y cinco', '35'],
    ['es', 'doscientos cuarenta y dos', '242'],
    ['es', 'mil quinientos', '1500'],
    ['es', 'primero de mayo', '1'],
    ['es', 'y cinco', undefined],
    ['fr', 'vingt', undefined],
  ])('%s: numbers are read: %s', (code, text, digits) => expect(number(code, text)).toBe(digits))

  it.each([
    ['Ich habe eine Frage zu meiner Rechnung', 'de'],
    ['Tengo una pregunta sobre mi factura', 'es'],
    ['I have a question about my bill', 'en'],
    ['Xyzzy', 'en'],
  ])('tell which one a text is in: %s', (text, code) => expect(likeliestLanguage(text).code).toBe(code))
})
