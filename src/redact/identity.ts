import { isObject } from '../base/is-object.js'
import type { Span } from './mask.js'

/**
 * Names and addresses of customers, as far as a dialogue tells them: what is answered to "may I have your name", what follows "my
 * name is", what stands behind Mr. or Frau, streets with their number, and whatever of it is said again.
 */

/** What an agent asks for. English, German, Spanish. */
const ASKS_NAME =
  /\b(?:your|the|caller['’]s|account holder['’]s|patient['’]s|customer['’]s|member['’]s|cardholder['’]s|maiden|first|last|full|family|sur|state)\s?(?:(?:first|last|full|legal|given|family|middle|and|own|complete) )*name\b(?! of\b)|\bwho(?:['’]s| is| am i| do i)\b.{0,20}\b(?:calling|speak|have)|\bspell (?:that|it)\b|\bihre?n? (?:\p{L}+ )?(?:name|vorname|nachname)|\bwie heißen sie\b|\bmit wem spreche\b|\bwer ist am apparat\b|\b(?:su|el) nombre\b|\bapellidos?\b|\bcómo se llama\b|\bcon quién\b/iu
const ASKS_ADDRESS =
  /(?<!e-?mail |web ?|ip |site |url )\baddress\b(?! of (?:your|the) (?:web|site|shop|store))|\bwhere (?:should|shall|can|do|may) (?:we|i) (?:send|ship|deliver|mail|post)|\b(?:zip|post ?code|postal code|street|city|town|apartment number|house number|unit number)\b|\badresse\b(?!.{0,12}mail)|\banschrift\b|\bpostleitzahl\b|\bplz\b|\bwohin\b|\bstraße\b|\bhausnummer\b|\bdirección\b(?! de correo| electrónica)|\bdomicilio\b|\bcódigo postal\b|\bcalle\b|\bciudad\b/iu
/** Goes on asking for parts of an address. */
const ASKS_MORE = /^(?:and|und|y)\b.{0,12}\b(?:number|state|country|county|unit|floor|nummer|ort|stadt|número|piso)\b/iu

/** Words that are no names, however they are written: what people begin sentences and answers with, days, months, titles of things. */
const COMMON = new Set(
  `i im i'm i'd i'll i've it it's its is this that that's that'd the a an my mine me we we're our you your yes yeah yep yup no nope not
  sure okay ok of course and or but so well uh um er hi hello hey good morning afternoon evening day thanks thank please sorry right fine great perfect
  what why who when where how which can could would will shall do does did don't just one moment let me maybe probably actually under name
  first last full speaking calling caller account holder for from on in at to with by as if then there here he she they his her him under wife husband
  monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday january february march april may june july august september
  october november december god lord sir ma'am madam
  lovely excellent brilliant wonderful cheers absolutely correct certainly definitely exactly alright nothing none both more less data checking savings
  oh ah again also because since after before about any all some every anything everything something someone nobody much many still already never always
  account card phone email order bill number address street city town state zip code house flat apartment lost new old same different other another
  awesome super thats cool got very too have has had was were am been haven't hasn't wasn't isn't aren't can't couldn't won't really painless baby dear
  ja nein doch gut guten tag morgen abend hallo danke bitte gerne klar natürlich moment ich mein meine wir unser sie ihr ihre das der die den dem ein
  eine es ist hier und oder aber also wegen auf am im in von mit wie wo was wer warum frage rechnung vertrag kunde kundin anruf problem paket bestellung
  montag dienstag mittwoch donnerstag freitag samstag sonntag
  sí si no claro hola buenas buenos días tardes noches gracias por favor yo mi soy es el la los las un una y o pero con de del que cómo qué quién
  llamo llamada pedido cuenta cliente lunes martes miércoles jueves viernes sábado domingo señor señora`.split(/\s+/),
)
const TITLE = String.raw`(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Herrn?|Frau|[Ss]eñora?|[Ss]r|[Ss]ra|Don|Doña)\.?`
const CAPITAL = String.raw`\p{Lu}[\p{L}'’]*(?:-\p{Lu}[\p{L}'’]*)*`
const TITLED = new RegExp(String.raw`\b${TITLE} (${CAPITAL}(?: ${CAPITAL}){0,2})`, 'gu')
const WORD = /(?<!\p{Nd})\p{L}[\p{L}'’]*(?:-\p{L}[\p{L}'’]*)*(?!\p{Nd})/gu
/** The same as a customer says it unasked. */
const NAMES_HERSELF = /\b(?:my (?:full )?name(?: is|['’]s)|mein name ist|ich heiße|mi nombre es|me llamo)\s+/giu
/** Says who it is only where a name stands behind it. */
const MAY_NAME_HERSELF =
  /(?:^|[.!,] ?)(?:(?:hi|hello|hallo|hola|yes)[,.]? )?(?:this is|hier ist|hier spricht|le habla|habla|soy)\s+/giu
/** The same of who they call for. */
const NAMES_RELATIVE =
  /\b(?:my|meine?n?|mi) (?:father|mother|dad|mom|mum|wife|husband|son|daughter|brother|sister|partner|vater|mutter|frau|mann|sohn|tochter|bruder|schwester|padre|madre|esposa|esposo|marido|mujer|hijo|hija|hermano|hermana),? /giu
/** What stands behind a name that was said so. */
const AFTER_NAME = /^(?:[,.!]|$| (?:calling|here|speaking|from|and|with|again|i|von|aus|und|de|y|am)\b)/iu
const MOST_WORDS = 4
const MOST_LOWER_WORDS = 3

/** Abbreviations and words with another meaning in capitals only, as in "Mill Row". */
const STREET =
  '[Ss]treet|St|[Aa]venue|Ave|[Rr]oad|Rd|[Dd]rive|Dr|[Ll]ane|Ln|[Cc]ourt|Ct|Close|Way|[Bb]oulevard|Blvd|Terrace|Place|Square|[Hh]ighway|Hwy|Crescent|Parkway|Row|Walk|Yard'
const STREET_WORD = new RegExp(
  String.raw`\b(?:${STREET})\b|\p{L}+(?:straße|strasse|str\.|weg|platz|allee|gasse)\b|\b(?:calle|avenida|plaza|paseo)\b`,
  'iu',
)
/** A street with its number, by its form. */
const STREET_AND_NUMBER = new RegExp(
  String.raw`\b\d{1,5}[a-zA-Z]? (?:\p{Lu}[\p{L}'’]*\.? ){1,4}(?<!\d )(?:${STREET})\b|\b\p{Lu}\p{L}+(?:straße|strasse|str\.|weg|platz|allee|gasse) \d{1,4} ?[a-z]?\b|\b(?:Calle|Avenida|Plaza|Paseo) (?:(?:de|del|la|los) )*(?:\p{Lu}\p{L}* ?){1,3}\d{1,5}\b`,
  'gu',
)
const LIVES_AT =
  /\b(?:i live (?:at|on)|we live (?:at|on)|my address is|moved to|ich wohne (?:in der|in|am)|wohnhaft|vivo en|mi dirección es)\s+/giu
const NUMBER_WORD =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|double|triple|oh|zero)$/i
const PART = /[\p{L}\p{Nd}][\p{L}\p{Nd}'’-]*/gu
/** Ends what is said of an address: a sentence, but not an abbreviation or a letter. */
const SENTENCE_END = /(?<=\p{Ll}{3}|\d|\d[A-Z]{2})[.!?](?=\s|$)/u
/** An address that is long enough to be known again. */
const SHORTEST_ADDRESS = 8
/** Words of an answer that is an address and nothing else, where it is written without capitals. */
const MOST_ADDRESS_WORDS = 14
/** Asks for a part of an address that has no number. */
const ASKS_PLACE = /\b(?:street|city|town|state|country|county|ort|stadt|straße|calle|ciudad)\b/iu
/** Characters looked at from the beginning of a name, and of an address, on. */
const LONGEST_NAME = 100
const LONGEST_ADDRESS = 200
/** Addresses of a call that are looked for in what comes. */
const MOST_ADDRESSES = 50
const SHORTEST_AGAIN = 3
const MOST_WAITED = 1

interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
}

const wordsOf = (text: string, pattern = WORD): readonly Word[] =>
  Array.from(text.matchAll(pattern), ({ 0: word, index }) => ({ text: word, start: index, end: index + word.length }))
const isCommon = (word: string): boolean =>
  COMMON.has(word.toLowerCase().replaceAll('’', "'")) || NUMBER_WORD.test(word)
const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word)
/** A text that is written without capitals tells nothing by them. */
const isLower = (text: string): boolean => !/\p{Lu}/u.test(text)

/** Hears a call turn by turn for who the customer is and where they live. */
export class Identity {
  #asksName = false
  #asksAddress = false
  #asksPlace = false
  /** Turns of the agent since the name was asked for that ask for nothing else. */
  #waited = 0
  /** Words of names that were heard, in lower case. */
  readonly #names = new Set<string>()
  readonly #addresses = new Set<string>()

  /** @param known the customer's name, as the record has it */
  constructor(known: readonly string[]) {
    for (const name of known) this.#remember(name)
  }

  /** Places of a turn that say a name or an address. Turns are heard in their order, each once. */
  hear(actor: unknown, text: string): readonly Span[] {
    const found: Span[] = []
    if (actor === 'customer') {
      found.push(...namesHerself(text))
      if (this.#asksName) {
        const names = answeredName(text)
        if (names.length > 0) this.#waited = MOST_WAITED
        found.push(...names)
      }
      if (this.#asksAddress) found.push(...answeredAddress(text, this.#asksPlace))
      found.push(...tellsAddress(text))
    }
    if (actor === 'customer' || actor === 'agent') found.push(...titledNames(text))
    if (actor === 'agent') {
      if (ASKS_ADDRESS.test(text)) found.push(...byForm(text))
      const goesOn = this.#asksAddress && ASKS_MORE.test(text)
      const asksName = ASKS_NAME.test(text)
      this.#waited = asksName ? 0 : this.#waited + 1
      // Who is asked back ("why do you need that?") answers after it.
      this.#asksName = asksName || (this.#asksName && this.#waited <= MOST_WAITED && !text.includes('?'))
      this.#asksPlace = ASKS_PLACE.test(text)
      this.#asksAddress = goesOn || ASKS_ADDRESS.test(text)
    }
    for (const { start, end, kind } of found) {
      const said = text.slice(start, end)
      if (kind === 'name') this.#remember(said)
      else if (this.#addresses.size < MOST_ADDRESSES && said.length >= SHORTEST_ADDRESS)
        this.#addresses.add(said.toLowerCase())
    }
    return apart([...found, ...this.again(text)])
  }

  /** Places of a text that say again what was heard. */
  again(text: string): readonly Span[] {
    return apart([...this.#namesIn(text), ...this.#addressesIn(text)])
  }

  #remember(name: string): void {
    for (const { text } of wordsOf(name)) {
      if (text.length >= SHORTEST_AGAIN && !isCommon(text)) this.#names.add(text.toLowerCase())
    }
  }

  #namesIn(text: string): readonly Span[] {
    if (this.#names.size === 0) return []
    const lower = isLower(text)
    const said = wordsOf(text).filter(
      word => this.#names.has(word.text.toLowerCase()) && (lower || isCapital(word.text)),
    )
    return joined(text, said)
  }

  #addressesIn(text: string): readonly Span[] {
    const spans: Span[] = []
    const lower = text.toLowerCase()
    for (const address of this.#addresses) {
      // Letters that get longer in lower case stand elsewhere there.
      if (lower.length !== text.length) break
      for (let at = lower.indexOf(address); at !== -1; at = lower.indexOf(address, at + address.length)) {
        spans.push({ start: at, end: at + address.length, kind: 'address' })
      }
    }
    return spans
  }
}

/** Words that stand next to each other as one place. */
function joined(text: string, words: readonly Word[]): readonly Span[] {
  const spans: { start: number; end: number; kind: 'name' }[] = []
  for (const { start, end } of words) {
    const last = spans.at(-1)
    if (last !== undefined && /^\s+$/.test(text.slice(last.end, start))) last.end = end
    else spans.push({ start, end, kind: 'name' })
  }
  return spans
}

/** Places without overlaps, in their order: those that touch become one. */
function apart(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1)
    if (last === undefined || span.start >= last.end) kept.push(span)
    else if (span.end > last.end) kept[kept.length - 1] = { ...last, end: span.end }
  }
  return kept
}

/** The words of a name from a place on: capitals, or where there are none what no sentence goes on with. */
function nameFrom(text: string, from: number): Span | undefined {
  const lower = isLower(text)
  const most = lower ? MOST_LOWER_WORDS : MOST_WORDS
  let span: { start: number; end: number; kind: 'name' } | undefined
  let count = 0
  for (const { 0: word, index: start } of text.slice(from, from + LONGEST_NAME).matchAll(WORD)) {
    const end = start + word.length
    if (count === most || isCommon(word) || !(lower || isCapital(word))) break
    if (span === undefined ? start > 4 : !isBetween(text, span, from + start)) break
    span = { start: span?.start ?? from + start, end: from + end, kind: 'name' }
    count += 1
  }
  return span
}

/** Whether nothing but blanks, or the point of a letter or title, stands between a name so far and what comes. */
function isBetween(text: string, { end }: Pick<Span, 'end'>, next: number): boolean {
  const between = text.slice(end, next)
  return (
    /^\s+$/.test(between) ||
    (between === '. ' && /(?:^|[^\p{L}])\p{Lu}\p{L}?$/u.test(text.slice(Math.max(0, end - 4), end)))
  )
}

function namesHerself(text: string): readonly Span[] {
  const told = Array.from(text.matchAll(NAMES_HERSELF), ({ 0: said, index }) => nameFrom(text, index + said.length))
  const may = Array.from(text.matchAll(MAY_NAME_HERSELF), ({ 0: said, index }) => {
    const name = isLower(text) ? undefined : nameFrom(text, index + said.length)
    return name !== undefined && AFTER_NAME.test(text.slice(name.end)) ? name : undefined
  })
  const relatives = Array.from(text.matchAll(NAMES_RELATIVE), ({ 0: said, index }) =>
    isLower(text) ? undefined : nameFrom(text, index + said.length),
  )
  return [...told, ...may, ...relatives].filter(span => span !== undefined)
}

/** The first name in an answer; or letters that spell one. */
function answeredName(text: string): readonly Span[] {
  const spelled = /(?<!\p{L})\p{L}(?:[\s.-]+\p{L}(?!\p{L})){2,}/u.exec(text)
  const letters: readonly Span[] =
    spelled === null ? [] : [{ start: spelled.index, end: spelled.index + spelled[0].length, kind: 'name' }]
  const words = wordsOf(text)
  if (isLower(text)) {
    const rest = words.filter(({ text: word }) => !isCommon(word))
    const [first] = rest
    // What is longer is no name alone.
    if (first === undefined || rest.length > MOST_LOWER_WORDS || words.length > rest.length + 5) return letters
    return [...letters, ...[nameFrom(text, first.start)].filter(span => span !== undefined)]
  }
  const first = words.find(({ text: word }) => isCapital(word) && !isCommon(word))
  const name = first === undefined ? undefined : nameFrom(text, first.start)
  return name === undefined ? letters : [...letters, name]
}

function titledNames(text: string): readonly Span[] {
  return Array.from(text.matchAll(TITLED), ({ 0: said, index }): Span => {
    return { start: index, end: index + said.length, kind: 'name' }
  })
}

const byForm = (text: string): readonly Span[] =>
  Array.from(text.matchAll(STREET_AND_NUMBER), ({ 0: said, index }) => addressFrom(text, index, index + said.length))

/** An address goes on behind the street: with more that is written like a part of one, to the end of the sentence. */
function addressFrom(text: string, start: number, least: number): Span {
  const rest = text.slice(start, start + LONGEST_ADDRESS)
  const sentence = rest.slice(0, SENTENCE_END.exec(rest)?.index ?? rest.length)
  let end = least
  for (const { text: part, end: at } of wordsOf(sentence, PART)) {
    const isPart = /\p{Nd}/u.test(part) || NUMBER_WORD.test(part) || (isCapital(part) && !isCommon(part))
    if (isPart || STREET_WORD.test(part)) end = Math.max(end, start + at)
    else if (
      start + at > end &&
      !/^(?:apartment|apt|unit|flat|suite|floor|number|in|de|del|la|los|of|the|and|colonia|piso|primero|segundo|tercero|cuarto|quinto|bajo|ático|izquierda|derecha)$/i.test(
        part,
      )
    )
      break
  }
  return { start, end, kind: 'address' }
}

/** An answer to where somebody lives: from the first number or name to the last one of its sentence. */
function answeredAddress(text: string, asksPlace: boolean): readonly Span[] {
  const lower = isLower(text)
  const parts = wordsOf(text, PART)
  const isPart = ({ text: part }: Word) =>
    /\p{Nd}/u.test(part) || NUMBER_WORD.test(part) || (lower ? !isCommon(part) : isCapital(part) && !isCommon(part))
  const first = parts.find(isPart)
  if (first === undefined) return []
  const hasNumber = parts.some(({ text: part }) => /\p{Nd}/u.test(part) || NUMBER_WORD.test(part))
  const isShort = parts.filter(part => !isCommon(part.text)).length <= MOST_WORDS
  if (!hasNumber && !STREET_WORD.test(text) && !(asksPlace && isShort)) return []
  if (lower && parts.length > MOST_ADDRESS_WORDS) return []
  // "Am Markt 7", "Unter den Linden 4".
  const ahead =
    /(?:\b(?:(?:Am|Im|An|Auf|Zum|Zur|Unter|Hinter)(?: (?:der|den|dem))?|[Ff]lat|[Uu]nit|[Aa]pt|[Aa]partment) )$/u.exec(
      text.slice(0, first.start),
    )
  const start = ahead?.index ?? first.start
  const said = lower ? wholeAnswer(text, start) : addressFrom(text, start, first.end)
  return [said]
}

function wholeAnswer(text: string, start: number): Span {
  const rest = text.slice(start)
  return { start, end: start + (SENTENCE_END.exec(rest)?.index ?? rest.trimEnd().length), kind: 'address' }
}

function tellsAddress(text: string): readonly Span[] {
  const told = Array.from(text.matchAll(LIVES_AT), ({ 0: said, index }): Span | undefined => {
    const from = index + said.length
    const [first] = wordsOf(text.slice(from, from + LONGEST_NAME), PART)
    if (first === undefined || first.start > 0 || !(/\p{Nd}/u.test(first.text) || isCapital(first.text)))
      return undefined
    return addressFrom(text, from, from + first.end)
  })
  return [...told.filter(span => span !== undefined), ...byForm(text)]
}

/** What the record says the customer is called. */
export function customerNames({
  customer_display_name: shown,
  session_metadata: own,
}: Readonly<Record<string, unknown>>): readonly string[] {
  const other = isObject(own) ? own['customer_display_name'] : undefined
  return [shown, other].filter(name => typeof name === 'string')
}
