import { describe, expect, it } from 'vitest'
import { companyGreeted } from '../../../src/evaluation/rules/company-greeted.js'
import { english } from '../../../src/evaluation/rules/languages/english.js'
import { german } from '../../../src/evaluation/rules/languages/german.js'
import { wordsOf } from '../../../src/evaluation/rules/words.js'

const greeted = (text: string, language = english) =>
  companyGreeted({ text, said: wordsOf(text, language) }, ['ana', 'ruiz'], language).join(' ')

describe('the company in a greeting', () => {
  it.each([
    ['Threadneedle Clothing.', 'threadneedle clothing'],
    ['Boxlight, Gwen.', 'boxlight'],
    ['Bryte smart meter team, hi, it’s Lowri.', 'bryte smart meter team'],
    ['Good morning, Haven Mutual claims, my name is Roisin. How can I help?', 'haven mutual claims'],
    ['Hello there. The Copper Pot, accounts.', 'the copper pot'],
    ['Wok And Roll!', 'wok and roll'],
  ])('is what it begins with: %s', (text, name) => expect(greeted(text)).toBe(name))

  it.each([
    'Ana, how can I help?',
    'Hello, Gwen.',
    'Good morning, how can I help?',
    'Helpdesk.',
    'Box office, Maya here.',
    'Thank you for calling.',
    'Right, what is it?',
    'threadneedle clothing, how can i help',
    'Gwen speaking, good morning.',
    'Let me transfer you to the other department.',
    'Mhm.',
    '',
  ])('is none of: %s', text => expect(greeted(text)).toBe(''))

  it('is not told by capital letters where every noun has one', () => {
    expect(greeted('Kundenservice Nord, guten Tag.', german)).toBe('')
  })
})
