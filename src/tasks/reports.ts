import { posix } from 'node:path'
import type { Logger } from 'pino'
import { NamedTurns } from '../base/named-turns.js'
import { Problem } from '../base/problem.js'
import type { NamingFiles } from '../ingest/erase-calls.js'
import type { ReportStore } from '../store/report-store.js'
import { GuardedFolder, type GuardedRoot } from '../base/guarded-folder.js'
import { reportWithoutCalls } from './change-report-text.js'

/** A file of a report, as it is to be written. */
export interface ReportFile {
  readonly name: string
  /** Its text, naming only calls that are there. */
  text(isThere: (sessionId: string) => boolean): string
}

interface ReportsParts {
  readonly store: ReportStore
  /** The directory that reports lie below, as the operator set it. */
  readonly reportDir: string | undefined
  readonly log: Pick<Logger, 'warn'>
}

/**
 * The files that tasks write and that name calls: each is on record before it is written, so that erasing a call finds
 * it. Writing and erasing take turns, so that none comes to name a call that is on its way out. Of several processes one may erase
 * between what another has on record and writes: so whoever writes looks at the record again behind it, and whoever erases at the files.
 * What is copied or renamed afterwards is not found.
 */
export class Reports implements NamingFiles {
  readonly #parts: ReportsParts
  /** By their projects. */
  readonly #turns = new NamedTurns()

  constructor(parts: ReportsParts) {
    this.#parts = parts
  }

  /** Whether there is a directory for them. */
  get isSet(): boolean {
    return this.#parts.reportDir !== undefined
  }

  /** A folder for reports of a project, made when it is not there. @throws Problem as GuardedFolder.open */
  folder(projectId: string, name: string): Promise<GuardedFolder> {
    return GuardedFolder.open(this.#root(projectId), name, { make: true })
  }

  /**
   * Writes files that name calls.
   * @returns their names below the report directory
   */
  write(
    projectId: string,
    folder: GuardedFolder,
    files: readonly ReportFile[],
    sessionIds: readonly string[],
  ): Promise<readonly string[]> {
    return this.#turns.run(projectId, async () => {
      const names: string[] = []
      // oxlint-disable no-await-in-loop -- a file at a time
      for (const file of files) {
        const name = posix.join(folder.name, file.name)
        let there = await this.#parts.store.note(projectId, name, sessionIds)
        for (;;) {
          const named = there
          await folder.write(
            file.name,
            file.text(id => named.has(id)),
          )
          there = await this.#parts.store.named(projectId, name)
          if ([...named].every(id => there.has(id))) break
        }
        names.push(name)
      }
      // oxlint-enable no-await-in-loop
      return names
    })
  }

  without<T>(projectId: string, sessionIds: readonly string[], erase: () => Promise<T>): Promise<T> {
    return this.#turns.run(projectId, async () => {
      const erased = new Set(sessionIds)
      const names = await this.#parts.store.naming(projectId, sessionIds)
      // oxlint-disable no-await-in-loop -- a file at a time
      for (const name of names) {
        if (await this.#rewrite(projectId, name, erased)) continue
        this.#parts.log.warn({ file: name }, 'a report that names an erased call is not where it was written')
      }
      const done = await erase()
      for (const name of names) await this.#rewrite(projectId, name, erased)
      // oxlint-enable no-await-in-loop
      return done
    })
  }

  /** Takes calls out of a file. @returns whether it is there */
  async #rewrite(projectId: string, name: string, erased: ReadonlySet<string>): Promise<boolean> {
    const { dir, base } = posix.parse(name)
    // What was written before projects had folders of their own may have been moved into the project's since, or not.
    for (const root of [this.#root(projectId), this.#root(undefined)]) {
      const folder = await this.#folderOf(root, dir)
      const text = await folder?.read(base)
      if (folder === undefined || text === undefined) continue
      const rewritten = withoutCalls(base, text, erased)
      if (rewritten !== undefined) {
        if (rewritten !== text) await folder.write(base, rewritten)
        return true
      }
      // Not as it was written. Whatever it is by now, it must not keep the name of the call.
      await folder.remove(base)
      this.#parts.log.warn({ file: name }, 'a report that named an erased call could not be read, and was removed')
      return true
    }
    return false
  }

  /** The folder of a report, unless it is gone or the directory is no longer set. */
  async #folderOf(root: GuardedRoot, name: string): Promise<GuardedFolder | undefined> {
    if (this.#parts.reportDir === undefined) return undefined
    try {
      return await GuardedFolder.find(root, name)
    } catch (error) {
      if (error instanceof Problem) return undefined
      throw error
    }
  }

  #root(projectId: string | undefined): GuardedRoot {
    return { directory: this.#parts.reportDir, variable: 'EARSHOT_REPORT_DIR', projectId }
  }
}

/**
 * The text of a report without the ids of some calls; undefined when it is not as it was written. In JSON they are
 * the values of `example_session_ids`, wherever these stand.
 */
function withoutCalls(name: string, text: string, sessionIds: ReadonlySet<string>): string | undefined {
  if (!name.endsWith('.json')) return reportWithoutCalls(text, sessionIds)
  try {
    const report: unknown = JSON.parse(text, (key, value: unknown) =>
      key === 'example_session_ids' && Array.isArray(value)
        ? value.filter(id => typeof id !== 'string' || !sessionIds.has(id))
        : value,
    )
    return `${JSON.stringify(report, undefined, 2)}\n`
  } catch {
    return undefined
  }
}
