import { inForm } from '../../../base/text.js'
import { FormTable } from '../form-table.js'
import { skeletonOf } from '../skeleton.js'
import { type Language, never, valuesOf, wordsIn } from './language.js'
import type { NumberWords } from './number-words.js'

/** Marks over letters, which many leave out. */
const MARKS = /[\u0300-\u036F]/gu
const FILLERS = wordsIn('eh ehm em mm mmm hmm')
/** What is written for another word in a hurry. */
const WRITTEN_OUT: Readonly<Record<string, readonly string[]>> = {
  ok: ['okay'],
  okey: ['okay'],
  q: ['que'],
  xq: ['porque'],
  tb: ['tambien'],
  tmb: ['tambien'],
  pa: ['para'],
  porfa: ['por', 'favor'],
  porfavor: ['por', 'favor'],
  ahorita: ['ahora'],
  momentito: ['momento'],
  minutito: ['minuto'],
  segundito: ['segundo'],
  celu: ['celular'],
  chau: ['chao'],
  setiembre: ['septiembre'],
}

/** The words that a word in lower case stands for. */
function formsOf(word: string): readonly string[] {
  const folded = inForm('NFD', word).replaceAll(MARKS, '').replaceAll("'", '')
  if (FILLERS.has(folded)) return []
  return (Object.hasOwn(WRITTEN_OUT, folded) ? WRITTEN_OUT[folded] : undefined) ?? [folded]
}

const UNITS = valuesOf(
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve',
  0,
)
const TENS = valuesOf('treinta cuarenta cincuenta sesenta setenta ochenta noventa', 30, 10)
const HUNDREDS: ReadonlyMap<string, number> = new Map([
  ['cien', 100],
  ['ciento', 100],
  ...'doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'
    .split(' ')
    .flatMap((word, at) => [word, `${word.slice(0, -2)}as`].map(form => [form, (at + 2) * 100] as const)),
])
const SCALES: ReadonlyMap<string, number> = new Map([
  ['mil', 1_000],
  ['millon', 1_000_000],
  ['millones', 1_000_000],
])

const NUMBERS: NumberWords = {
  units: UNITS,
  tens: TENS,
  hundreds: HUNDREDS,
  scales: SCALES,
  ordinals: new Map([['primero', 1]]),
  words: new Set([...UNITS.keys(), ...TENS.keys(), ...HUNDREDS.keys(), ...SCALES.keys()]),
  digits: /^\d+(?:o|a|os|as|ro|do|er)?$/,
  noughts: new Set(),
  and: { word: 'y', afterTens: true },
  article: undefined,
  isOrdinal: (words, at) => words[at + 1]?.text === 'de',
  begins: (words, at) => words[at]!.text === 'primero' && words[at + 1]?.text === 'de',
  isLone: (words, at) => words[at]!.text === 'uno',
}

export const spanish: Language = {
  code: 'es',
  forms: new FormTable(written => formsOf(skeletonOf(written).toLowerCase().replaceAll('’', "'")), NUMBERS),
  faltered: wordsIn(
    'yo tu el la los las lo le un una y o pero que de en a con por para mi su me se no si es ya esta este eso como cuando',
  ),
  isVerbBefore: never,
  common: wordsIn(
    'que de no a la el y en lo un por me si es una para con los las se le mi su ya pero como esta muy bien gracias buenos buenas dias tardes hola favor usted yo te al del mas todo puedo tengo quiero ha he tiene son esto eso cuando porque nos aqui estoy cual hay',
  ),
  numbers: NUMBERS,
}
