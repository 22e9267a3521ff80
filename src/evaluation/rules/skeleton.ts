import { inForm } from '../../base/text.js'

/**
 * Letters of other scripts that look like Latin ones (Unicode Technical Standard 39, confusables.txt: what is letter for letter, for
 * letters in use), and small capitals. What Unicode itself calls a form of a letter (full width, mathematical) NFKC undoes.
 */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  // Cyrillic, small and capital.
  (
    'аa сc ԁd еe һh іi јj ӏl оo рp ԛq гr ѕs ѵv ԝw хx уy үy ' +
    'АA ВB ЕE НH ІI ЈJ КK МM ОO РP ԚQ ЅS ТT ԜW ХX УY ҮY СC ' +
    // Greek.
    'αa γy ιi νv οo ρp υu ϲc ϳj ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ' +
    // Armenian.
    'օo ոn սu հh յj զq ցg ՏS ՍU ՕO ' +
    // Latin, and its small capitals.
    'ıi ɩi ɪi ɑa ɡg ƽs ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz'
  )
    .split(' ')
    .map(pair => [pair.slice(0, 1), pair.slice(1)] as const),
)

/** Characters that are not seen: zero-width ones, soft hyphens, variation selectors. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu
const ASCII_WORD = /^[a-z0-9'’]+$/iu
const ASCII_LETTER = /[a-z]/iu
/** Shorter words of look-alikes alone are words of another language, such as the Russian "с" and "о". */
const LEAST_LETTERS = 3

/**
 * A written word as it is read: without what is not seen, and in Latin letters where it is made to look so. "idіot" with a Cyrillic
 * "і" is "idiot"; a word of another script that only has some look-alikes stays itself.
 */
export function skeletonOf(written: string): string {
  const seen = inForm('NFC', written).replaceAll(UNSEEN, '')
  if (ASCII_WORD.test(seen)) return seen
  const folded = Array.from(inForm('NFKC', seen), character => LOOK_ALIKES.get(character) ?? character).join('')
  const mixed = ASCII_LETTER.test(seen) || folded.length >= LEAST_LETTERS
  return mixed && ASCII_WORD.test(folded) ? folded : seen
}
