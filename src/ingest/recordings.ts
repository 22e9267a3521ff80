import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../base/error-code.js'
import { type GuardedRoot, GuardedFolder, OutsideFolder } from '../base/guarded-folder.js'
import { Problem } from '../base/problem.js'

/** Recordings that calls name and that lie here: below the project's folder in the directory the operator has set. */
export class Recordings {
  readonly #directory: string | undefined

  /** @param directory undefined: there are none */
  constructor(directory: string | undefined) {
    this.#directory = directory
  }

  /** Opens a recording by its name; undefined where there is none by it inside the project's folder. */
  async open(projectId: string, name: string): Promise<FileHandle | undefined> {
    try {
      const folder = await this.#folder(projectId)
      return await folder?.openFile(join(folder.path, name))
    } catch (error) {
      if (isNoFile(error)) return undefined
      throw error
    }
  }

  /** Removes recordings for good; one that is gone is. @throws Problem `store_unavailable` when one can't be removed */
  async erase(projectId: string, names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    const folder = await this.#folder(projectId)
    for (const name of names) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- a file at a time
        await folder?.remove(name)
      } catch (error) {
        // What a link leads to outside is nobody's recording.
        if (error instanceof OutsideFolder || (isNoFile(error) && errorCode(error) !== 'EACCES')) continue
        const problem = new Problem(
          'store_unavailable',
          `A recording below EARSHOT_RECORDINGS_DIR can't be removed (${errorCode(error) ?? 'unknown cause'}): its call stays`,
        )
        problem.cause = error
        throw problem
      }
    }
  }

  /** The project's folder; undefined where there is none. */
  async #folder(projectId: string): Promise<GuardedFolder | undefined> {
    if (this.#directory === undefined) return undefined
    const root: GuardedRoot = { directory: this.#directory, variable: 'EARSHOT_RECORDINGS_DIR', projectId }
    try {
      return await GuardedFolder.find(root, projectId)
    } catch (error) {
      // The directory is not there, or the folder is none or leads elsewhere.
      if (error instanceof Problem) return undefined
      throw error
    }
  }
}

/** No file by that name that may be read: nothing there, a folder, a link, or outside. */
function isNoFile(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG', 'ENXIO', 'EINVAL'].includes(
    errorCode(error) ?? '',
  )
}
