import type { Span } from './mask.js'

/** The places found in one text so far; what is looked for first wins. */
export class FoundSpans {
  readonly #spans: Span[] = []
  readonly #taken: Uint8Array

  /** @param length of the text */
  constructor(length: number) {
    this.#taken = new Uint8Array(length)
  }

  /** Whether a place touches none of those found. */
  isFree(start: number, end: number): boolean {
    return !this.#taken.subarray(start, end).includes(1)
  }

  /** Takes a place, unless it touches another. */
  take(span: Span): void {
    if (!this.isFree(span.start, span.end)) return
    this.#taken.fill(1, span.start, span.end)
    this.#spans.push(span)
  }

  /** Takes of a place what touches no other, as long as it says anything. */
  takeRest({ start, end, kind }: Span, text: string): void {
    for (let from = start; from < end;) {
      while (from < end && this.#taken[from] === 1) from += 1
      let to = from
      while (to < end && this.#taken[to] === 0) to += 1
      if (/[\p{L}\p{Nd}]/u.test(text.slice(from, to))) this.take({ start: from, end: to, kind })
      from = to
    }
  }

  /** In the order of the text. */
  sorted(): readonly Span[] {
    return this.#spans.toSorted((a, b) => a.start - b.start)
  }
}
