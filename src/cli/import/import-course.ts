import { truncateSync, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import type { ImportProgress } from '../../ingest/import-calls.js'
import type { BeginsAnew, GoesOn, Resume } from '../../ingest/import-mark.js'
import { type Progress, startProgress } from '../progress.js'
import { untilInterrupted } from '../until-signal.js'
import type { KeptMark } from './kept-mark.js'
import { openRejects } from './open-rejects.js'

interface Said {
  /** Whether it begins at the beginning, wherever it was interrupted. */
  readonly anew: boolean
  /** The file that takes every rejected line. */
  readonly rejects?: string | undefined
}

/** What an import has while it runs: its place among its files, which the next can go on from, its rejects and its bar. */
export class ImportCourse {
  readonly #said: Said
  readonly #abort = new AbortController()
  #kept: KeptMark | undefined
  #rejects: WriteStream | undefined
  #bar: Progress | undefined
  #goesOn: GoesOn | undefined

  constructor(said: Said) {
    this.#said = said
    void untilInterrupted().then(() =>
      this.#abort.abort(new Problem('cancelled', 'The import was interrupted; the calls stored so far stay')),
    )
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Where it went on that was interrupted before. */
  get goesOn(): GoesOn | undefined {
    return this.#goesOn
  }

  /** Where its place is kept; without it the next import can't go on. */
  keepIn(kept: KeptMark): void {
    this.#kept = kept
  }

  async begin(): Promise<{ readonly rejects: WriteStream | undefined; readonly resume: Resume | undefined }> {
    const kept = this.#kept
    const { anew, rejects } = this.#said
    const { at, mark: from } = (anew ? undefined : kept?.read()) ?? {}
    if (rejects !== undefined) this.#rejects = await openRejects(rejects, from === undefined ? 'w' : 'a')
    const resume: Resume | undefined = kept && {
      from,
      keep: mark => kept.keep(mark),
      onBegin: place => {
        const goesOn = typeof place === 'string' ? undefined : place
        this.#goesOn = goesOn
        if (goesOn === undefined && rejects !== undefined) truncateSync(rejects)
        process.stderr.write(`${resumeLine(place, at)}\n`)
      },
    }
    return { rejects: this.#rejects, resume }
  }

  show({ bytes, total_bytes: total, received }: ImportProgress): void {
    this.#bar ??= startProgress('Importing', 'bytes', total, { counting: 'calls', lines: true })
    this.#bar.update(bytes, received)
  }

  /** Everything is stored. */
  done(): void {
    this.#bar?.stop()
    this.#kept?.remove()
  }

  /** What ended it, with what stays and how it goes on, where it does. */
  toldOf(error: unknown): unknown {
    if (this.#kept?.flush() !== true) return error
    const stays = 'the calls stored so far stay, and the same command goes on behind them'
    if (this.signal.aborted) return new Problem('cancelled', `The import was interrupted; ${stays}`)
    // What ends it by itself, such as a full disk: in the same command, when there is room.
    if (error instanceof Problem && error.code === 'store_unavailable')
      return new Problem(error.code, `${error.message}; ${stays}`)
    return error
  }

  async end(): Promise<void> {
    this.#bar?.stop()
    this.#rejects?.end()
    if (this.#rejects !== undefined) await finished(this.#rejects)
  }
}

/** Where an import goes on that was interrupted. @param at when it was */
function resumeLine(place: GoesOn | BeginsAnew, at: string | undefined): string {
  const when = at === undefined ? '' : ` at ${at}`
  if (typeof place === 'string') {
    return `This import was interrupted${when}; it begins at the beginning, since ${anewReasons[place]}.`
  }
  const { file, number, files, line, stored } = place
  return `Goes on where this import was interrupted${when}: file ${number} of ${files}, ${echo(file)}, line ${line}; ${stored} calls were stored before. --anew begins at the beginning.`
}

const anewReasons: Readonly<Record<BeginsAnew, string>> = {
  'other files': 'the files that were done are others now',
  'other store':
    'the last call that was stored is not in this store: it is another, or was put back to an earlier state',
}
