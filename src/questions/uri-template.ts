const VARIABLE = /\{(\w+)\}/

/**
 * An address with variables, such as `earshot://call/{session_id}/transcript`. A variable stands for one piece of a
 * path, percent-encoded.
 */
export class UriTemplate {
  readonly #text: string
  readonly #names: readonly string[]
  readonly #pattern: RegExp

  constructor(text: string) {
    // Split at its variables, a template is literal text and names in turn.
    const pieces = text.split(VARIABLE)
    this.#text = text
    this.#names = pieces.filter((_, i) => i % 2 === 1)
    this.#pattern = new RegExp(`^${pieces.map((piece, i) => (i % 2 === 1 ? '([^/?#]+)' : literally(piece))).join('')}$`)
  }

  /** The address with its variables filled in. */
  expand(values: Readonly<Record<string, string>>): string {
    return this.#text.replaceAll(new RegExp(VARIABLE, 'g'), (_, name: string) => encodeURIComponent(values[name] ?? ''))
  }

  /** The variables of an address, decoded exactly once; nothing when it is none of this template. */
  match(uri: string): Readonly<Record<string, string>> | undefined {
    const found = this.#pattern.exec(uri)
    if (found === null) return undefined
    try {
      return Object.fromEntries(this.#names.map((name, i) => [name, decodeURIComponent(found[i + 1] ?? '')]))
    } catch {
      // A stray percent sign, or bytes that are not UTF-8.
      return undefined
    }
  }
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)
}
