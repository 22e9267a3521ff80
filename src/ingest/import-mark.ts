import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Source } from './sources.js'

/** How far an import has come: everything before is in the store for good. */
export const importMark = z.object({
  /** Files that are done, before the one it is in. */
  files: z.int().min(0),
  /** A hash of the names, sizes and times of these, in their order. */
  before: z.string(),
  /** Parts of the file it is in that are done. */
  parts: z.int().min(0),
  /** Name, size and time of that file; empty where none is begun. */
  file: z.string(),
  stored: z.int().min(0),
  rejected: z.int().min(0),
  /** Id of the last call that was stored. A store that has not heard of it is another, or was put back to an earlier state. */
  last: z.string(),
})
export type ImportMark = z.output<typeof importMark>

/** Where an import goes on. */
export interface GoesOn {
  /** The file in which it does, and which one of how many it is, from 1. */
  readonly file: string
  readonly number: number
  readonly files: number
  /** In that file, from 1. */
  readonly line: number
  /** Calls that were stored before, and records that were rejected. */
  readonly stored: number
  readonly rejected: number
}

/** Why an import begins at the beginning that was interrupted: files that were done are others now, or its store lacks what was stored. */
export type BeginsAnew = 'other files' | 'other store'

/** How an import is gone on with after an interruption. */
export interface Resume {
  /** Where it was interrupted; undefined begins at the beginning. */
  readonly from: ImportMark | undefined
  /** Takes a mark whenever more is in the store. */
  readonly keep: (mark: ImportMark) => void
  /** Hears where it goes on, or why it does not, once. */
  readonly onBegin: (place: GoesOn | BeginsAnew) => void
}

/** A mark without what was counted. */
export type Place = Omit<ImportMark, 'stored' | 'rejected' | 'last'>

/** Where an import is among its files, and where it goes on. */
export class ImportPlace {
  readonly #sources: readonly Source[]
  readonly #from: ImportMark | undefined
  /** Hears where it goes on, until it did. */
  #onBegin: Resume['onBegin'] | undefined
  #before = ''
  #files = 0

  /** @param isStored whether the store has heard of the call the mark names */
  constructor(sources: readonly Source[], resume: Resume | undefined, isStored: boolean) {
    this.#sources = sources
    const { from } = resume ?? {}
    if (from === undefined) return
    if (!this.#isThere(from)) resume?.onBegin('other files')
    else if (!isStored) resume?.onBegin('other store')
    else {
      this.#from = from
      this.#onBegin = resume?.onBegin
    }
  }

  /** What was stored and rejected before. */
  get earlier(): Pick<ImportMark, 'stored' | 'rejected'> {
    const { stored, rejected } = this.#from ?? { stored: 0, rejected: 0 }
    return { stored, rejected }
  }

  /** How many parts of the next file are done already; undefined: all of it. */
  get done(): number | undefined {
    if (this.#from === undefined || this.#files > this.#from.files) return 0
    return this.#files < this.#from.files ? undefined : this.#from.parts
  }

  /** The place behind so many parts of a file, the last of which is new and begins at this line. */
  within(parts: number, line: number): Place {
    const source = this.#sources[this.#files]
    if (source !== undefined && this.#onBegin !== undefined) {
      const number = this.#files + 1
      this.#onBegin({ file: source.name, number, files: this.#sources.length, line, ...this.earlier })
      this.#onBegin = undefined
    }
    return { files: this.#files, before: this.#before, parts, file: source === undefined ? '' : told(source) }
  }

  /** The place behind a file, which is then the one before the next. */
  behind(source: Source): Place {
    this.#before = chained(this.#before, source)
    this.#files += 1
    return { files: this.#files, before: this.#before, parts: 0, file: '' }
  }

  #isThere({ files, before, file }: ImportMark): boolean {
    const next = this.#sources[files]
    if (next === undefined || (file !== '' && told(next) !== file)) return false
    return this.#sources.slice(0, files).reduce(chained, '') === before
  }
}

const told = ({ name, size, writtenMs }: Source): string => JSON.stringify([name, size, writtenMs])

function chained(before: string, source: Source): string {
  return createHash('sha256').update(before).update(told(source)).digest('hex')
}
