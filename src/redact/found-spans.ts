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

  /** In the order of the text. */
  sorted(): readonly Span[] {
    return this.#spans.toSorted((a, b) => a.start - b.start)
  }
}
