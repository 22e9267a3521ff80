import { describe, expect, test } from 'vitest'
import { echo } from '../../src/base/text.js'

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
