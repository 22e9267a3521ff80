/** How long things took, in milliseconds. */
export class Times {
  readonly #ms: number[] = []

  async of<T>(work: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const result = await work()
    this.#ms.push(performance.now() - started)
    return result
  }

  get count(): number {
    return this.#ms.length
  }

  /** p50, p95 and the longest, as text. */
  get row(): readonly string[] {
    const sorted = this.#ms.toSorted((a, b) => a - b)
    const at = (share: number) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN).toFixed(1)
    return [at(0.5), at(0.95), at(1)]
  }
}
