import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { ownDirectory } from '../../../base/own-directory.js'

/** Name of the store's file in the data directory. */
export const FILE = 'earshot.duckdb'

/** Free bytes from which a disk counts as having room again. */
const FREE_BYTES_TO_RECOVER = 1024 * 1024

/** Name of the record of acknowledged writes. */
export const ACKNOWLEDGED = 'earshot.acknowledged'

/**
 * Name of the store's file while it is restored. It gets its own when everything else is there: until then no start takes the directory for
 * whole.
 */
export const RESTORED = `${FILE}.new-restored`

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
  /** The record of acknowledged writes. */
  readonly acknowledged: string

  private constructor(dataDir: string) {
    this.dataDir = dataDir
    this.file = join(dataDir, FILE)
    this.acknowledged = join(dataDir, ACKNOWLEDGED)
  }

  /** Makes the directory when it is not there and closes it to others. Throws a Problem when that can't be done. */
  static async in(directory: string): Promise<StoreFiles> {
    return new StoreFiles(await ownDirectory(directory))
  }

  /** The files of a directory that is there, as they are. */
  static at(directory: string): StoreFiles {
    return new StoreFiles(realpathSync(directory))
  }

  /** Bytes of the store's file; undefined where there is none. */
  size(): number | undefined {
    return statSync(this.file, { throwIfNoEntry: false })?.size
  }

  /** Bytes of the write-ahead log, 0 where there is none: of writes that are not in the store's file. */
  logBytes(): number {
    return statSync(`${this.file}.wal`, { throwIfNoEntry: false })?.size ?? 0
  }

  hasLog(): boolean {
    return this.logBytes() > 0
  }

  /** Bytes of the store and its write-ahead log. By path, never opened. */
  bytes(): number {
    const sizes = [this.file, `${this.file}.wal`].map(file => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  /** Whether the disk has room for more than a few small writes. */
  hasRoom(): boolean {
    const { bavail, bsize } = statfsSync(this.dataDir)
    return bavail * bsize >= FREE_BYTES_TO_RECOVER
  }

  hasRoomFor(bytes: number): boolean {
    const { bavail, bsize } = statfsSync(this.dataDir)
    return bavail * bsize >= bytes + FREE_BYTES_TO_RECOVER
  }

  /** Puts a finished file, of the same store, in the place of the store's. Gives back its bytes. */
  replace(newFile: string): number {
    renameSync(newFile, this.file)
    const directory = openSync(this.dataDir, 'r')
    try {
      fsyncSync(directory)
    } finally {
      closeSync(directory)
    }
    return statSync(this.file).size
  }

  /** Removes a file that was being made. */
  discard(newFile: string): void {
    for (const file of [newFile, `${newFile}.wal`]) rmSync(file, { force: true })
  }

  /** Renames what is left of a store that is gone; gives back the new names. Nothing is ever deleted. */
  putAside(): readonly string[] {
    const left = [FILE, `${FILE}.wal`, ACKNOWLEDGED].filter(
      name => statSync(join(this.dataDir, name), { throwIfNoEntry: false }) !== undefined,
    )
    return left.map(name => {
      const aside = `${name}.lost-${Date.now()}`
      renameSync(join(this.dataDir, name), join(this.dataDir, aside))
      return aside
    })
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

  /** Bytes of what `sweep` would remove of half-made stores. */
  leftBytes(): number {
    return this.#halfMade().reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
  }

  /**
   * Removes what processes left that were killed: half-made stores and spilled data. Only for the lock's holder.
   * @param making the file that the holder is making itself
   */
  sweep(tempFolder: string, making?: string): void {
    for (const path of this.#halfMade()) {
      if (making === undefined || !path.startsWith(making)) rmSync(path, { force: true })
    }
    rmSync(join(this.dataDir, tempFolder), { recursive: true, force: true })
  }

  /** Whether a restore into the directory was cut off: the store gets its name last. */
  isHalfRestored(): boolean {
    return this.size() === undefined && statSync(join(this.dataDir, RESTORED), { throwIfNoEntry: false }) !== undefined
  }

  #halfMade(): readonly string[] {
    return readdirSync(this.dataDir)
      .filter(name => NEW_FILE.test(name))
      .map(name => join(this.dataDir, name))
  }

  /** Closes the store's files to others, such as those a backup was restored into. */
  protect(): void {
    for (const file of [this.file, `${this.file}.wal`]) {
      if (statSync(file, { throwIfNoEntry: false }) !== undefined) chmodSync(file, 0o600)
    }
  }
}
