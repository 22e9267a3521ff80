import { describe, expect, test } from 'vitest'
import { echo, escapeUnseen, foldedText, holdsUnseen, normalName } from '../../src/base/text.js'

describe("a caller's own input in an error", () => {
  test('is quoted and cut at 100 characters', () => {
    expect(echo('say "no"')).toBe('"say \\"no\\""')
    expect(echo('x'.repeat(101))).toBe(`"${'x'.repeat(100)}…"`)
    expect(echo({ a: [1, 'b'] })).toBe('{"a":[1,"b"]}')
  })

  test('shows what a reader can’t see and a terminal obeys', () => {
    // Line feed, escape, control sequence introducer (C1), bidi override, a tag character.
    const text = 'a\n\u001b[2J\u009b2J\u202eb\u{e0041}'
    const shown = 'a\\n\\u001b[2J\\u009b2J\\u202eb\\udb40\\udc41'
    expect(echo(text)).toBe(`"${shown}"`)
    expect(echo({ [text]: text })).toBe(`{"${shown}":"${shown}"}`)
    expect(JSON.parse(echo(text))).toBe(text)
  })

  test('is well-formed, wherever it is cut', () => {
    expect(echo('\ud800')).toBe('"\ufffd"')
    expect(echo(`${'x'.repeat(99)}😀`).isWellFormed()).toBe(true)
  })
})

describe('a name as it is compared', () => {
  test('is trimmed and composed, with as many marks as scripts write on a letter', () => {
    expect(normalName(' Zoe\u0308 ')).toBe('Zo\u00eb')
    expect(normalName(`a${'\u0301\u0316'.repeat(15)}`)).toBe(`\u00e1${'\u0316'.repeat(15)}${'\u0301'.repeat(14)}`)
  })

  test('stays as it is where a letter carries more: their order would take minutes', () => {
    const marks = `a${'\u0301\u0316'.repeat(200_000)}`
    expect(normalName(` ${marks}`) === marks).toBe(true)
    expect(foldedText(marks)).toBe('a')
  })
})

describe('what nobody sees', () => {
  test.each([
    ['a control', 'a\u0007b'],
    ['a line feed', 'a\nb'],
    ['a line separator', 'a\u2028b'],
    ['a direction override', 'a\u202eb'],
    ['a direction isolate', 'a\u2066b'],
    ['a direction mark', 'a\u200fb'],
    ['a space of no width', 'a\u200bb'],
    ['a joiner between Latin letters', 'ad\u200dmin'],
    ['a byte order mark', 'a\ufeffb'],
    ['a soft hyphen', 'a\u00adb'],
    ['a Hangul filler', 'a\u3164b'],
    ['tag characters', 'a\u{e0041}\u{e0042}b'],
    ['a variation selector behind a letter', 'a\ufe0fb'],
    ['a lone surrogate', 'a\ud800b'],
  ])('%s is found, and shown as its number', (_, text) => {
    expect(holdsUnseen(text)).toBe(true)
    expect(escapeUnseen(text)).toMatch(/^ad?(\\u[0-9a-f]{4})+(b|min)$/)
  })

  test.each([
    ['Zoë O’Neill-Ångström'],
    ['شركة الاتصالات'],
    ['می‌خواهم'],
    ['ශ්‍රී ලංකා'],
    ['क्‍ष'],
    ['Team 👩‍💻 ❤️ 1️⃣ 👨‍👩‍👧 👍🏽'],
    ['日本 支店'],
  ])('nothing of it is in %j', text => {
    expect(holdsUnseen(text)).toBe(false)
    expect(escapeUnseen(text)).toBe(text)
  })
})

describe('a text that is searched', () => {
  test.each([
    ['Cancelación', 'cancelacion'],
    ['GRÜẞE', 'gruße'],
    ['Ångström, naïve Œuvre', 'angstrom, naive œuvre'],
    ['Й ё', 'и е'],
    ['ΟΔΌΣ οδός', 'οδοσ οδος'],
    ['한국', '한국'],
    ['100 % (now) ≠ 5', '100 % (now) = 5'],
    ['line\none', 'line\none'],
  ])('%s is compared as %s', (text, folded) => expect(foldedText(text)).toBe(folded))
})
