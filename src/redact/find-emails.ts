import type { Span } from './mask.js'

const LOCAL = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u
const DOMAIN = /[\p{L}\p{N}.-]/u
/** Longest part before and after the @ (RFC 5321). */
const LOCAL_LENGTH = 64
const DOMAIN_LENGTH = 255
const WHOLE_DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u

/**
 * Spoken addresses: "ann dot smith at example dot com". Words joined by dot, dash and underscore, or single letters,
 * before "at"; after it words of which the last is a common ending.
 */
const SPOKEN =
  /(?<![\p{L}\p{N}])(?:(?:[\p{L}\p{N}]{1,64}[ ](?:dot|underscore|dash|hyphen|plus)[ ]){0,6}|(?:[\p{L}\p{N}][ ]){1,30})[\p{L}\p{N}._-]{1,64}[ ](?:at|@)[ ](?:[\p{L}\p{N}-]{1,63}[ ]?(?:dot|\.)[ ]?){1,4}(?:com|net|org|edu|gov|info|io|co|uk|us|ca|au|de|fr|es|it|nl|eu|ch|at)(?![\p{L}\p{N}])/giu
/** Somebody who looks at a page says "at" and "dot" too: an address is announced, or lies with a mail provider. */
const ANNOUNCED = /e-?mail|\bmail\b|address/i
const PROVIDERS =
  /\b(?:g ?mail|yahoo|hot ?mail|outlook|icloud|aol|gmx|proton ?mail|web|live|msn|comcast|me)\s?(?:dot|\.)/i
const ANNOUNCED_WITHIN = 80

/** E-mail addresses, written and spoken. */
export function findEmails(text: string, before: (at: number, length: number) => string): readonly Span[] {
  return [...written(text), ...spoken(text, before)]
}

function written(text: string): readonly Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at
    while (start > 0 && at - start < LOCAL_LENGTH && LOCAL.test(text[start - 1] ?? '')) start -= 1
    while (start < at && /['.`]/.test(text[start] ?? '')) start += 1
    let end = at + 1
    while (end < text.length && end - at <= DOMAIN_LENGTH && DOMAIN.test(text[end] ?? '')) end += 1
    while (end > at + 1 && /[.-]/.test(text[end - 1] ?? '')) end -= 1
    if (start === at || start < (spans.at(-1)?.end ?? 0)) continue
    if (WHOLE_DOMAIN.test(text.slice(at + 1, end))) spans.push({ start, end, kind: 'email' })
  }
  return spans
}

function* spoken(text: string, before: (at: number, length: number) => string): Generator<Span> {
  // The expression is slow where there is nothing to find.
  if (!/ (?:at|@) .{0,80}(?:dot|\.)/i.test(text)) return
  for (const { 0: said, index: start } of text.matchAll(SPOKEN)) {
    if (!PROVIDERS.test(said) && !ANNOUNCED.test(before(start, ANNOUNCED_WITHIN))) continue
    yield { start, end: start + said.length, kind: 'email' }
  }
}
