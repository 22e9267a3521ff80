import type { MaskKind, Span } from './mask.js'

/** What a question can ask for that its answer alone does not show to be personal. */
export type AskedKind = Exclude<MaskKind, 'email' | 'iban' | 'name' | 'address'>

/** How many digits an answer has: all of it, and the least that counts as one where nothing else was said of it. */
export const DIGITS_OF: Readonly<Record<AskedKind, { readonly whole: number; readonly least: number }>> = {
  card: { whole: 13, least: 4 },
  cvv: { whole: 3, least: 3 },
  expiry: { whole: 3, least: 3 },
  pin: { whole: 4, least: 3 },
  ssn: { whole: 9, least: 2 },
  account: { whole: 8, least: 4 },
  routing: { whole: 6, least: 4 },
  dob: { whole: 2, least: 1 },
  mrn: { whole: 6, least: 4 },
  passport: { whole: 6, least: 4 },
  licence: { whole: 5, least: 4 },
  phone: { whole: 7, least: 3 },
}

/** Digits of a number that goes on from one turn to the next. */
const LEAST_MORE = 2

/** What says which of several numbers one is, as people ask for it and as they name it. English, German, Spanish. */
const NAMES: readonly (readonly [AskedKind, RegExp])[] = [
  [
    'cvv',
    /\bc[vs][vc]\d?\b|\bsecurity code\b|\b(?:three|3|four|4) digits? (?:on|from) the (?:back|front)\b|\bdigits? on the (?:back|front)\b|prüf(?:nummer|ziffer)|sicherheitscode|código de (?:seguridad|verificación)/i,
  ],
  [
    'expiry',
    /\bexpir(?:y|es?|ation|ing)\b|\bvalid (?:thru|until)\b|läuft [^?]{0,30}\bab\b|ablauf(?:datum)?|gültig bis|\bvence\b|vencimiento|caduca/i,
  ],
  ['pin', /\bpins?\b|\bpass ?codes?\b|\bgeheimzahl\b|\bclave\b|\bcontraseña numérica\b/i],
  [
    'dob',
    /\bdate of birth\b|\bbirth ?(?:date|day)\b|\bdob\b|\bborn\b|geburts(?:datum|tag)|geboren|fecha de nacimiento|naci(?:ó|ste|do)\b/i,
  ],
  [
    'ssn',
    /\bsocial\b(?! (?:media|worker|club))|\bssn\b|\bnational insurance\b|\bsocial insurance\b|sozialversicherungs\w*|seguro social|seguridad social/i,
  ],
  ['passport', /\bpassport\b|\breisepass\w*|\b(?:personal)?ausweis\w*|\bpasaporte\b/i],
  ['licence', /\bdriv(?:er['’]?s?|ing) licen[cs]e\b|\blicen[cs]e number\b|führerschein\w*|licencia de conduc\w*/i],
  [
    'mrn',
    /\bmrn\b|\bmedical record\b|\bhospital number\b|\bpatient (?:number|id)\b|\bmember id\b|versichertennummer|historia clínica/i,
  ],
  ['routing', /\brouting\b|\bsort code\b|\baba\b|\bnine digits left\b|bankleitzahl|\bblz\b|número de ruta/i],
  [
    'account',
    /\b(?:account|acct|customer|checking account|savings account) (?:number|no|id)\b|\bacct\b|\baccount (?:is|was)\b|konto(?:nummer)?\b|kundennummer|número de (?:cuenta|cliente)/i,
  ],
  [
    'card',
    /\b(?:card|credit card|debit card) (?:number|no)\b|\blong number\b|\b(?:sixteen|16) digits\b|\blast four (?:digits )?of the card\b|kartennummer|número de (?:su |la )?tarjeta/i,
  ],
  [
    'phone',
    /\bphone\b|\b(?:number we can|reach|call) you\b|\bcall(?:ed)? (?:you )?back\b|\bcell\b|\bmobile number\b|telefon\w*|nummer erreichen|handynummer|teléfono/i,
  ],
]

/** What an agent asks a customer for: every kind that a question names. */
export function askedFor(text: string): readonly AskedKind[] {
  return NAMES.flatMap(([kind, name]) => (name.test(text) ? [kind] : []))
}

const DIGIT_WORDS =
  'zero|oh|o|nought|one|two|three|four|five|six|seven|eight|nine|null|eins|ein|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun|cero|uno|una|un|dos|tres|cuatro|cinco|seis|siete|ocho|nueve'
const MORE_WORDS =
  'ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|zehn|elf|zwölf|hundert|tausend|diez|once|doce|trece|catorce|quince|dieci\\p{L}+|veinte|veinti\\p{L}+|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien|ciento|mil|doscientos|novecientos'
const GERMAN =
  '(?:(?:ein|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|sech|sieb|zwan|drei|und|zig|ßig|hundert|tausend)+)(?:te[nr]?|ste[nr]?)?'
const ORDINALS =
  'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\\p{L}*teenth|twentieth|thirtieth|erste[nr]?|dritte[nr]?|primero'
const MONTHS =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre'
const whole = (words: string) => new RegExp(`^(?:${words})$`, 'iu')
const IS_DIGIT_WORD = whole(DIGIT_WORDS)
const IS_MORE_WORD = whole(`${MORE_WORDS}|${GERMAN}`)
const IS_ORDINAL = whole(`${ORDINALS}|\\d{1,2}(?:st|nd|rd|th)`)
const IS_MONTH = whole(MONTHS)
const IS_FILLER = whole('double|triple|doble|doppel|and|und|y|uh|um|äh|eh|dash|hyphen|space|strich|guion|punto|then')
const IS_DATE_FILLER = whole('the|of|der|den|de|del|el|am')
/** A letter said for itself, or two before figures, such as QQ or a plate's. */
const IS_LETTERS = /^(?!A$|I$)[A-Z]{1,3}$/
const IS_CODE = /^(?=.*\d)[A-Z\d]+$/i

const TOKEN = /\p{Nd}+(?:st|nd|rd|th)\b|[\p{L}\p{Nd}]+/gu
/** "M as in Mike". */
const SPELLED = /\b([A-Z]) (?:as in|for|like|wie|de) \p{L}+/gu
const SEPARATORS = /^[\s,.\-/\u2010-\u2015]{0,4}$/u
/** What makes a number one of money, time, percent or things, just behind it. */
const OTHER_AFTER =
  /^\s?(?:[$€£%]|(?:dollars?|bucks|cents?|euros?|pounds?|percent|prozent|times?|days?|weeks?|months?|years?|minutes?|hours?|items?|people|uhr|stück|o'clock|am\b|pm\b))/i
const OTHER_BEFORE = /[$€£#]\s?$/

interface Token {
  readonly start: number
  readonly end: number
  /** Digits it says; 0 for a letter. */
  readonly digits: number
}

/** How many digits a token of a number says; undefined where it is none. @param date months and ordinals are part of it */
function digitsOf(token: string, date: boolean): number | undefined {
  if (/^\p{Nd}+$/u.test(token)) return token.length
  if (IS_DIGIT_WORD.test(token)) return 1
  if (date && (IS_ORDINAL.test(token) || IS_MONTH.test(token))) return 2
  if (IS_MORE_WORD.test(token)) return 2
  if (date) return undefined
  if (IS_LETTERS.test(token)) return 0
  return IS_CODE.test(token) && !IS_ORDINAL.test(token) ? token.replaceAll(/\P{Nd}/gu, '').length : undefined
}

/** The numbers of a text: tokens with nothing but separators and fillers between them. */
function numbersIn(text: string, date: boolean): readonly (readonly Token[])[] {
  const spelled = new Map(Array.from(text.matchAll(SPELLED), ({ index, 0: said }) => [index, index + said.length]))
  const numbers: Token[][] = []
  let number: Token[] = []
  let reached = 0
  const finish = () => {
    if (number.some(({ digits }) => digits > 0)) numbers.push(number)
    number = []
  }
  for (const { 0: token, index: start } of text.matchAll(TOKEN)) {
    if (start < reached) continue
    const end = spelled.get(start) ?? start + token.length
    if (!SEPARATORS.test(text.slice(reached, start)) && number.length > 0) finish()
    const digits = spelled.has(start) ? 0 : digitsOf(token, date)
    reached = end
    if (digits !== undefined) number.push({ start, end, digits })
    else if (!(IS_FILLER.test(token) || (date && IS_DATE_FILLER.test(token)))) finish()
  }
  finish()
  return numbers
}

/** A number that answers, and how many digits it says. */
export interface Answer extends Span {
  readonly kind: AskedKind
  readonly digits: number
}

/**
 * The places of a customer's turn that answer what was asked, or that the customer names himself.
 *
 * @param asked what the agent asked for; of several the one that the customer names before the number, else the first
 * @param more digits of the answer that earlier turns said: it may go on with few
 */
export function findAnswers(text: string, asked: readonly AskedKind[], more: boolean): readonly Answer[] {
  const isDate = asked.some(kind => kind === 'dob' || kind === 'expiry')
  let from = 0
  return numbersIn(text, isDate).flatMap((tokens): Answer[] => {
    const start = tokens[0]?.start ?? 0
    const end = tokens.at(-1)?.end ?? start
    const before = text.slice(from, start)
    from = end
    const own = askedFor(before)
    const kind = own.find(one => asked.length === 0 || asked.includes(one)) ?? own[0] ?? asked[0]
    if (kind === undefined || OTHER_AFTER.test(text.slice(end)) || OTHER_BEFORE.test(text.slice(0, start))) return []
    const digits = tokens.reduce((sum, token) => sum + token.digits, 0)
    const { least } = DIGITS_OF[kind]
    // What nobody asked for is one only where it is long enough to be nothing else.
    const wanted = asked.length === 0 ? Math.max(least, 6) : more ? Math.min(least, LEAST_MORE) : least
    return digits < wanted ? [] : [{ start, end, kind, digits }]
  })
}
