import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath, rename, unlink } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'

/** The directory that names lie below, as the operator set it. */
export interface GuardedRoot {
  readonly directory: string | undefined
  /** The setting that names it, for refusals. */
  readonly variable: 'EARSHOT_IMPORT_DIR' | 'EARSHOT_REPORT_DIR'
}

/**
 * A folder below a directory of the operator's, out of which no link leads. Whoever may write there could put a link in
 * the place of a folder between a look and the use of it, so what counts is what was opened: a file is used only when,
 * once open, the path without links lies inside and leads to the very same file.
 */
export class GuardedFolder {
  /** The folder without links. */
  readonly path: string
  /** The same, as a name below the directory; empty for the directory itself. */
  readonly name: string

  private constructor(path: string, root: string) {
    this.path = path
    this.name = relative(root, path).split(sep).join('/')
  }

  /**
   * @param make makes the folder when it is not there
   * @throws Problem `invalid_input`: the directory is not set or not there, or the name is not of a folder inside
   */
  static async open(root: GuardedRoot, name: string, { make = false } = {}): Promise<GuardedFolder> {
    const { directory, variable } = root
    if (directory === undefined)
      throw new Problem('invalid_input', `Tasks of this kind need ${variable}, which is not set`)
    const real = await realpath(directory).catch(() => undefined)
    if (real === undefined) {
      throw new Problem('invalid_input', `The directory of ${variable} is not there or can't be read`)
    }
    const path = make ? await made(real, name) : await realpath(join(real, name)).catch(() => undefined)
    if (path === undefined) throw noFolder(name, variable)
    if (!isInside(path, real))
      throw new Problem('invalid_input', `Folder ${echo(name)} leads out of ${variable} by a link`)
    if (!(await lstat(path)).isDirectory()) throw noFolder(name, variable)
    return new GuardedFolder(path, real)
  }

  /**
   * Opens a file for reading, without waiting for what is no file of bytes.
   * @param path below this folder
   * @throws Error when it is none, or no longer inside this folder
   */
  async openFile(path: string): Promise<FileHandle> {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      await this.#assertInside(file, path)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** The text of a file; undefined where there is none by that name. */
  async read(name: string): Promise<string | undefined> {
    try {
      const file = await this.openFile(join(this.path, name))
      try {
        return await file.readFile('utf8')
      } finally {
        await file.close()
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** Removes a file, or the link that has its name. */
  async remove(name: string): Promise<void> {
    const path = join(this.path, name)
    if (!isInside(await realpath(dirname(path)), this.path)) throw outside(path)
    await unlink(path)
  }

  /** Writes a new file, whole or not at all; one of that name is replaced. */
  async write(name: string, text: string): Promise<void> {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    const path = join(this.path, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const draft = join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`)
    const file = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    try {
      await this.#assertInside(file, draft)
      await file.writeFile(text)
      await file.datasync()
      await rename(draft, path)
    } catch (error) {
      await unlink(draft).catch(() => undefined)
      throw error
    } finally {
      await file.close()
    }
  }

  /** A name in this folder under which there is nothing: the one given, or with a number in it. */
  async freeName(name: string): Promise<string> {
    return (await freeName(join(this.path, name))).slice(this.path.length + 1)
  }

  /** Moves a file to another place in this folder, beside what is there by that name, never over it. */
  async move(from: string, to: string): Promise<void> {
    const folder = dirname(join(this.path, to))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const place of [folder, dirname(from)]) {
      if (!isInside(await realpath(place), this.path)) throw outside(place)
    }
    await rename(from, await freeName(join(this.path, to)))
  }

  async #assertInside(file: FileHandle, path: string): Promise<void> {
    const opened = await file.stat()
    const real = await realpath(path)
    const there = await lstat(real)
    if (!opened.isFile() || !isInside(real, this.path)) throw outside(path)
    if (opened.ino !== there.ino || opened.dev !== there.dev) throw outside(path)
  }
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

/** Makes a folder part by part; through a link that leads out nothing is made. */
async function made(root: string, name: string): Promise<string> {
  let path = root
  for (const part of name.split('/')) {
    path = join(path, part)
    try {
      await mkdir(path, { mode: 0o700 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    path = await realpath(path)
    if (!isInside(path, root)) return path
  }
  return path
}

async function freeName(path: string): Promise<string> {
  const isTaken = async (one: string) => (await lstat(one).catch(() => undefined)) !== undefined
  if (!(await isTaken(path))) return path
  const dot = path.indexOf('.', path.lastIndexOf(sep) + 1)
  const [stem, end] = dot === -1 ? [path, ''] : [path.slice(0, dot), path.slice(dot)]
  for (let n = 2; ; n += 1) if (!(await isTaken(`${stem}-${n}${end}`))) return `${stem}-${n}${end}`
}

function noFolder(name: string, variable: string): Problem {
  return new Problem('invalid_input', `There is no folder ${echo(name)} below ${variable}`)
}

function outside(path: string): Error {
  return Object.assign(new Error(`${path} is no file inside its folder`), { code: 'EACCES' })
}
