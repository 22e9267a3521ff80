/** Longest piece of a caller's own input that an error may repeat, in UTF-16 units. */
const ECHO_LENGTH = 100

/**
 * A caller's own input as an error may show it: JSON-quoted, cut at 100 characters, and with everything escaped that a
 * reader can't see or that a terminal obeys.
 */
export function echo(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  const cut = (text.length > ECHO_LENGTH ? `${text.slice(0, ECHO_LENGTH)}…` : text).toWellFormed()
  return escapeUnseen(typeof value === 'string' ? JSON.stringify(cut) : cut)
}

// Writing systems whose letters are joined and kept apart by characters of no width.
const JOINED_SCRIPTS = 'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'.replaceAll(
  /\w+ ?/g,
  script => `\\p{Script=${script.trim()}}`,
)

/** What has no shape of its own and still belongs to what is read: between such letters, within and behind an emoji. */
const SHAPING = [
  `(?<=[${JOINED_SCRIPTS}])[\\u200c\\u200d](?=[${JOINED_SCRIPTS}])`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
].join('|')

/** What nobody sees: controls, line and paragraph separators, directions, fillers and all of no width; lone surrogates. */
const UNSEEN = '\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb'

const SHAPING_OR_UNSEEN = new RegExp(`(?<shaping>${SHAPING})|[${UNSEEN}]`, 'gu')

/** A text with each character escaped that a reader can't see or that a terminal obeys, so that it is one line. */
export function escapeUnseen(text: string): string {
  return text.replace(SHAPING_OR_UNSEEN, (character, shaping?: string) => shaping ?? escaped(character))
}

/** As JSON writes it: each UTF-16 unit with four hex digits. */
export function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

// C0 and C1 controls. Names and ids hold none of them.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** Whether an id or name holds a control character or a lone surrogate, which none may. */
export function isUnprintable(text: string): boolean {
  return CONTROL.test(text) || !text.isWellFormed()
}

/**
 * More marks in a row than any script writes on one letter (UAX 15, D4). Bringing them into their order takes the square of their number:
 * half a minute for 400 kB of them, in which no thread can be ended.
 */
const TOO_MANY_MARKS = /\p{M}{31}/u

/** A text of any length in one of Unicode's forms; one with a letter that carries more marks than any script writes stays as it is. */
export function inForm(form: 'NFC' | 'NFD' | 'NFKC', text: string): string {
  return TOO_MANY_MARKS.test(text) ? text : text.normalize(form)
}

/** A name as it is kept and compared everywhere: trimmed and in Unicode's composed form (NFC). */
export function normalName(text: string): string {
  return inForm('NFC', text.trim())
}

const MARKS = /\p{M}+/gu

/**
 * A text as a search compares it: in lower case and without accents, so that "cancelacion" finds "Cancelación". The embedded engine's
 * `strip_accents(lower(…))` gives the same, but for letters that came into Unicode after its tables were made.
 */
export function foldedText(text: string): string {
  // Of capitals, sigma alone becomes another letter at the end of a word (Unicode's SpecialCasing, Final_Sigma), which no engine does.
  // Marks that are written out go first: none is left to be put in order.
  return text
    .replaceAll('Σ', 'σ')
    .toLowerCase()
    .replaceAll(MARKS, '')
    .normalize('NFD')
    .replaceAll(MARKS, '')
    .normalize('NFC')
}

/** Whether a text holds what nobody sees. */
export function holdsUnseen(text: string): boolean {
  return escapeUnseen(text) !== text
}

// Controls except tab, line feed and carriage return; bidirectional overrides and isolates (a transcript that shows
// other text than it holds); tag characters U+E0000…U+E007F (text a person can't see and a model can); lone surrogates.
const HIDDEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\u{d800}-\u{dfff}]/gu

/** Free text without the characters that no reader can see, and how many were taken out. */
export function visibleText(text: string): { readonly text: string; readonly removed: number } {
  let removed = 0
  const visible = text.replace(HIDDEN, () => {
    removed += 1
    return ''
  })
  return { text: removed === 0 ? text : visible, removed }
}
