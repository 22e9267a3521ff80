import { Writable } from 'node:stream'

/** Most rejected records of a file that its report lists. */
const MOST_LISTED = 10_000

/** Takes the rejects of an import, and tells them apart by file. Values are never quoted in them. */
export class FileRejects extends Writable {
  readonly #byFile = new Map<string, { readonly lines: string[]; count: number }>()

  constructor() {
    super({ decodeStrings: false, defaultEncoding: 'utf8' })
  }

  override _write(line: string, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    const { file, ...fault } = JSON.parse(line) as { readonly file: string }
    const kept = this.#byFile.get(file) ?? { lines: [], count: 0 }
    this.#byFile.set(file, kept)
    kept.count += 1
    if (kept.lines.length < MOST_LISTED) kept.lines.push(`${JSON.stringify(fault)}\n`)
    done()
  }

  /** Whether anything of a file was rejected. */
  has(file: string): boolean {
    return this.#byFile.has(file)
  }

  /** How many records of a file were rejected. */
  count(file: string): number {
    return this.#byFile.get(file)?.count ?? 0
  }

  /** The report of a file: a line of JSON {line, path, message} for each rejected record. */
  report(file: string): string {
    const { lines = [], count = 0 } = this.#byFile.get(file) ?? {}
    const more = count - lines.length
    return more === 0 ? lines.join('') : `${lines.join('')}${JSON.stringify({ message: `and ${more} more` })}\n`
  }
}
