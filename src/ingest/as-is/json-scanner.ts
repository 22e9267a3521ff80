import { behindField, behindInstant, behindNumber, behindText, NONE } from './json-parts.js'
import type { FieldShape, JsonShape, ListShape, NumberShape, ObjectShape, TextShape, WordShape } from './json-shape.js'

/** What a scan gives back for what it doesn't take. */
export const NOT_TAKEN = Symbol('not taken')

/** What is kept (see Keep) of the JSON between two places of bytes, or NOT_TAKEN. */
export type JsonScanner = (bytes: Buffer, start: number, end: number) => unknown

/**
 * Makes what says whether JSON in UTF-8 is of a shape and just what `JSON.stringify(JSON.parse(text))` would give, without making values
 * of it: nothing between its parts, no key twice, no null, no number that would be written otherwise, no characters but those of
 * ASCII, Latin letters and a few signs. To much that is so too it says no: whoever asks reads that in the usual way.
 *
 * It is JavaScript written out for the shape: one function for all shapes, which looks at them as it goes, takes twice the time.
 * Nothing gets into it but the shape, which is made of the record's schema.
 */
export function scannerOf(shape: JsonShape): JsonScanner {
  const { source, checks } = new ScannerSource(shape)
  const parts = {
    behindText,
    behindNumber,
    behindInstant,
    behindField,
    NONE,
    NOT_TAKEN,
    value: new Float64Array(1),
    checks,
  }
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- see above
  const make = new Function(...Object.keys(parts), source) as (...given: unknown[]) => JsonScanner
  return make(...Object.values(parts))
}

/**
 * Writes a function for each object and list. Each goes from `at` to the place behind, or returns NONE; what it keeps it leaves in
 * `kept`. Code of a value goes on with `at` behind the value, and with what is kept of it in `kept` too.
 */
class ScannerSource {
  readonly #functions: string[] = []
  readonly checks: ((text: string) => boolean)[] = []
  readonly source: string

  constructor(shape: JsonShape) {
    const whole = this.#value(shape)
    this.source = `'use strict'
let kept
${this.#functions.join('\n')}
function whole(bytes, at) {
  let from
  ${whole}
  return at
}
return (bytes, start, end) => {
  const behind = whole(bytes, start)
  const found = kept
  kept = undefined
  return behind === end ? found : NOT_TAKEN
}`
  }

  #value({ kind, keep, is }: JsonShape): string {
    switch (kind) {
      case 'text':
        return this.#text(is, keep)
      case 'number':
        return number(is, keep)
      case 'word':
        return word(is, keep)
      case 'instant':
        return `from = at; at = behindInstant(bytes, at); if (at === NONE) return NONE
          ${keep ? `kept = bytes.toString('latin1', from + 1, at - 1)` : ''}`
      case 'list':
        return this.#call(this.#list(is, keep))
      case 'object':
        return this.#call(this.#object(is, keep))
    }
  }

  /** @param body of a function that is called */
  #call(body: string): string {
    const name = `part${this.#functions.length}`
    this.#functions.push(`function ${name}(bytes, at) { let from; ${body} }`)
    return `at = ${name}(bytes, at); if (at === NONE) return NONE`
  }

  #text({ least, most, name, holds }: TextShape, keep: boolean): string {
    const lines = [
      // Of bytes there are as many as of characters, or more.
      `${expect('"')} from = at; at = behindText(bytes, at, ${!name})
       if (at === NONE || at - from - 1 < ${least} || at - from - 1 > ${most}) return NONE`,
    ]
    if (name) lines.push(`if (bytes[from] === ${code(' ')} || bytes[at - 2] === ${code(' ')}) return NONE`)
    if (keep || holds !== undefined) lines.push(`kept = bytes.toString('utf8', from, at - 1)`)
    if (holds !== undefined) lines.push(`if (!checks[${this.checks.push(holds) - 1}](kept)) return NONE`)
    return lines.join('\n')
  }

  #list({ of, least, most }: ListShape, keep: boolean): string {
    return `${expect('[')}
      let length = 0
      ${keep ? 'const list = []' : ''}
      if (bytes[at] === ${code(']')}) at += 1
      else for (;;) {
        ${this.#value(of)}
        ${keep ? 'list.push(kept)' : ''}
        length += 1
        ${untilEnd(']')}
      }
      if (length < ${least} || length > ${most}) return NONE
      ${keep ? 'kept = list' : ''}
      return at`
  }

  #object({ fields, required, open }: ObjectShape, keep: boolean): string {
    const keeps = keep ? fields.filter(({ shape }) => shape.keep) : []
    const firsts = [...new Set(fields.map(({ quoted }) => quoted[1]))]
    const cases = firsts.map(first => {
      const among = fields.filter(({ quoted }) => quoted[1] === first)
      const tries = among.map(field => this.#field(field, keeps.indexOf(field)))
      return `case ${first}: ${tries.join(' else ')} else ${open ? 'break' : 'return NONE'}; ${untilEnd('}', 'fields')}`
    })
    return `${expect('{')}
      let seen = 0
      ${open ? 'const names = []' : ''}
      ${keeps.map((_, index) => `let kept${index}`).join('\n')}
      if (bytes[at] === ${code('}')}) at += 1
      else fields: for (;;) {
        switch (bytes[at + 1]) { ${cases.join('\n')} }
        ${open ? `at = behindField(bytes, at, names, 1); if (at === NONE) return NONE; ${untilEnd('}')}` : 'return NONE'}
      }
      if ((seen & ${required}) !== ${required}) return NONE
      ${keep ? `kept = { ${keeps.map(({ name }, index) => `${JSON.stringify(name)}: kept${index}`).join(', ')} }` : ''}
      return at`
  }

  /** @param index of what is kept of the field; -1: nothing */
  #field({ quoted, bit, shape }: FieldShape, index: number): string {
    return `if (${isNext(quoted)}) {
        if ((seen & ${bit}) !== 0) return NONE
        seen |= ${bit}
        at += ${quoted.length}
        ${this.#value(shape)}
        ${index === -1 ? '' : `kept${index} = kept`}
      }`
  }
}

const code = (character: string): number => character.charCodeAt(0)

const expect = (character: string): string => `if (bytes[at] !== ${code(character)}) return NONE; at += 1;`

/** Leaves a loop behind the end, goes on behind a comma. */
const untilEnd = (end: string, loop = ''): string =>
  `if (bytes[at] === ${code(',')}) { at += 1; continue ${loop} }
   if (bytes[at] !== ${code(end)}) return NONE
   at += 1
   break ${loop}`

const isNext = (wanted: Uint8Array): string =>
  [...wanted].map((byte, index) => `bytes[at + ${index}] === ${byte}`).join(' && ')

function word(words: readonly WordShape[], keep: boolean): string {
  const tries = words.map(({ word: one, quoted }) => {
    return `if (${isNext(quoted)}) { at += ${quoted.length}; ${keep ? `kept = ${JSON.stringify(one)}` : ''} }`
  })
  return `${tries.join(' else ')} else return NONE`
}

function number({ least, most, whole }: NumberShape, keep: boolean): string {
  return `at = behindNumber(bytes, at, ${whole}, value)
    if (at === NONE || value[0] < ${least} || value[0] > ${most}) return NONE
    ${keep ? 'kept = value[0]' : ''}`
}
