import { chmodSync, linkSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../../base/problem.js'

/** Name of the store's file in the data directory. */
const FILE = 'earshot.duckdb'

/** Names of files in which a new store is made before it gets its name. */
const NEW_FILE = /^earshot\.duckdb\.new-/

/**
 * The store's files. All by path: this process must never open them itself, since closing any descriptor on them drops
 * the engine's lock, and a second process could then write (measured).
 */
export class StoreFiles {
  /** The data directory without links, so that one directory has one name. */
  readonly dataDir: string
  readonly file: string

  private constructor(dataDir: string) {
    this.dataDir = dataDir
    this.file = join(dataDir, FILE)
  }

  /** Makes the directory when it is not there and closes it to others. Throws a Problem when that can't be done. */
  static in(directory: string): StoreFiles {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      chmodSync(directory, 0o700)
      return new StoreFiles(realpathSync(directory))
    } catch (error) {
      const problem = new Problem('store_unavailable', `The data directory ${directory} cannot be made or is not yours`)
      problem.cause = error
      throw problem
    }
  }

  /** The files of a directory that is there, as they are. */
  static at(directory: string): StoreFiles {
    return new StoreFiles(realpathSync(directory))
  }

  /**
   * Whether there is a store. Throws where one was and its file is gone or empty: the engine would make a new one in
   * silence.
   */
  exists(): boolean {
    const size = statSync(this.file, { throwIfNoEntry: false })?.size
    if (size !== undefined && size > 0) return true
    const log = statSync(`${this.file}.wal`, { throwIfNoEntry: false })
    if (size === undefined && log === undefined) return false
    const what = size === 0 ? 'is empty' : 'is gone, though its write-ahead log is there'
    throw new Problem('store_unavailable', `The store's file ${this.file} ${what}. Restore a backup.`)
  }

  /** Bytes of the store and its write-ahead log. By path, never opened. */
  bytes(): number {
    const sizes = [this.file, `${this.file}.wal`].map(file => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  /** A path for making a new store in. */
  newFile(): string {
    return `${this.file}.new-${process.pid}-${Date.now()}`
  }

  /** Gives a finished new store its name, unless another process was quicker. */
  adopt(newFile: string): void {
    try {
      linkSync(newFile, this.file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(newFile, { force: true })
    }
  }

  /** Removes what processes left that were killed: half-made stores and spilled data. Only for the lock's holder. */
  sweep(tempFolder: string): void {
    for (const name of readdirSync(this.dataDir)) {
      if (NEW_FILE.test(name)) rmSync(join(this.dataDir, name), { force: true })
    }
    rmSync(join(this.dataDir, tempFolder), { recursive: true, force: true })
  }

  /** Closes the store's files to others, such as those a backup was restored into. */
  protect(): void {
    for (const file of [this.file, `${this.file}.wal`]) {
      if (statSync(file, { throwIfNoEntry: false }) !== undefined) chmodSync(file, 0o600)
    }
  }
}
