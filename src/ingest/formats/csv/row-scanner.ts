const QUOTE = 0x22
const NEWLINE = 0x0a
const RETURN = 0x0d
/** Most bytes of the field that groups rows: ids have at most 200 characters. */
const KEY_BYTES = 1_000

/** The end of a row in a chunk. */
export interface RowEnd {
  /** Index after its line feed. */
  readonly end: number
  /** Bytes of the row, those in earlier chunks too. */
  readonly bytes: number
  /** Lines it takes. */
  readonly lines: number
  /** Its value in the column that groups rows, else in the one for that, without quotes around it; undefined for an empty row. */
  readonly key: string | undefined
}

/** Where the parser of the rows would be: quotes open only at the beginning of a field. */
type State = 'field start' | 'plain' | 'in quotes' | 'after quote'

/** Finds where the rows of a table end, following quotes (RFC 4180), without parsing them. */
export class RowScanner {
  readonly #delimiter: number
  readonly #keyColumn: number | undefined
  readonly #elseColumn: number | undefined
  #state: State = 'field start'
  #column = 0
  #bytes = 0
  #lines = 0
  #content = false
  #key: number[] = []
  #else: number[] = []

  /** @param elseColumn groups the rows that have nothing in `keyColumn` */
  constructor(delimiter: string, keyColumn: number | undefined, elseColumn: number | undefined) {
    this.#delimiter = delimiter.charCodeAt(0)
    this.#keyColumn = keyColumn
    this.#elseColumn = elseColumn
  }

  /** Bytes so far of the row that is not ended yet. */
  get rowBytes(): number {
    return this.#bytes
  }

  /** The rows that end in this chunk. */
  *push(chunk: Buffer): Generator<RowEnd> {
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0
      this.#bytes += 1
      if (byte === NEWLINE) {
        this.#lines += 1
        if (this.#state !== 'in quotes') {
          yield this.#end(at + 1)
          continue
        }
      }
      if (this.#state !== 'in quotes' && byte === this.#delimiter) {
        this.#column += 1
        this.#content = true
        this.#state = 'field start'
        continue
      }
      if (this.#column === this.#keyColumn) hold(this.#key, byte)
      else if (this.#column === this.#elseColumn) hold(this.#else, byte)
      this.#state = this.#next(byte)
    }
  }

  /** What the input ended in the middle of. */
  end(): 'in quotes' | 'a row' | undefined {
    if (this.#state === 'in quotes') return 'in quotes'
    return this.#content ? 'a row' : undefined
  }

  #next(byte: number): State {
    if (byte !== RETURN) this.#content = true
    if (byte !== QUOTE) return this.#state === 'in quotes' ? 'in quotes' : byte === RETURN ? this.#state : 'plain'
    switch (this.#state) {
      case 'field start':
      case 'after quote':
        return 'in quotes'
      case 'in quotes':
        return 'after quote'
      case 'plain':
        return 'plain'
    }
  }

  #end(end: number): RowEnd {
    const row = {
      end,
      bytes: this.#bytes,
      lines: this.#lines,
      key: this.#content ? keyOf(this.#key) || keyOf(this.#else) : undefined,
    }
    this.#state = 'field start'
    this.#column = 0
    this.#bytes = 0
    this.#lines = 0
    this.#content = false
    this.#key = []
    this.#else = []
    return row
  }
}

function hold(key: number[], byte: number): void {
  if (key.length < KEY_BYTES && byte !== RETURN) key.push(byte)
}

function keyOf(bytes: readonly number[]): string {
  if (bytes.length === 0) return ''
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/^"(.*)"$/s, '$1')
    .trim()
}
