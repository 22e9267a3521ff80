import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath, rename, unlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { makeDirectory } from './make-directory.js'
import { Problem } from './problem.js'
import { echo } from './text.js'

/** What names of folders lie below: in a directory of the operator's, the folder that is named like the project. */
export interface GuardedRoot {
  /** As the operator set it. */
  readonly directory: string | undefined
  /** The setting that names it, for refusals. */
  readonly variable: 'EARSHOT_IMPORT_DIR' | 'EARSHOT_REPORT_DIR' | 'EARSHOT_RECORDINGS_DIR'
  /** Undefined: the directory itself, where folders of all projects lay before each had one of its own. */
  readonly projectId: string | undefined
}

/**
 * A folder of a project, out of which no link leads: not to another project's, which lies beside it. Whoever may write
 * there could put a link in the place of a folder between a look and the use of it, so what counts is what was opened: a
 * file is used only when, once open, the path without links lies inside and leads to the very same file.
 */
export class GuardedFolder {
  /** The folder without links. */
  readonly path: string
  /** The same, as a name below the directory: the project's id comes first. */
  readonly name: string

  private constructor(path: string, root: string) {
    this.path = path
    this.name = relative(root, path).split(sep).join('/')
  }

  /**
   * @param name below the project's folder; one that begins with the project's id means the same
   * @param make makes the folder when it is not there, and the project's
   * @throws Problem `invalid_input`: the directory is not set or not there, or the name is not of a folder inside;
   *   `not_configured`: the folder can't be made
   */
  static async open(root: GuardedRoot, name: string, { make = false } = {}): Promise<GuardedFolder> {
    const { real, parts } = await placeOf(root, name)
    if (make) await makeFolder(root, real, parts)
    const found = await GuardedFolder.find(root, name)
    if (found === undefined) throw noFolder(parts, root)
    return found
  }

  /** The folder of a name, undefined when there is nothing by it. @throws Problem as `open` */
  static async find(root: GuardedRoot, name: string): Promise<GuardedFolder | undefined> {
    const { real, parts } = await placeOf(root, name)
    const path = await realpath(join(real, ...parts)).catch(() => undefined)
    if (path === undefined) return undefined
    if (!isInside(path, ownPlace(root, real))) throw linkOut(parts, root)
    if (!(await lstat(path)).isDirectory()) throw noFolder(parts, root)
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

  /** The same where there may be none. */
  async removeIfThere(name: string): Promise<void> {
    await this.remove(name).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    })
  }

  /** Writes a new file, whole or not at all; one of that name is replaced. @param content text, or bytes as they come */
  async write(name: string, content: string | AsyncIterable<Buffer>): Promise<void> {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    const path = join(this.path, name)
    await makeDirectory(dirname(path))
    const draft = join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`)
    const file = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    try {
      await this.#assertInside(file, draft)
      await writeFile(file, content)
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
    await makeDirectory(folder)
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

/** The directory without links, and where below it a name leads, part by part. */
async function placeOf({ directory, variable, projectId }: GuardedRoot, name: string) {
  if (directory === undefined)
    throw new Problem('invalid_input', `Tasks of this kind need ${variable}, which is not set`)
  const real = await realpath(directory).catch(() => undefined)
  if (real === undefined) {
    throw new Problem('invalid_input', `The directory of ${variable} is not there or can't be read`)
  }
  const parts = name.split('/')
  return { real, parts: projectId === undefined || parts[0] === projectId ? parts : [projectId, ...parts] }
}

/** What must not be left: the project's folder, which is therefore no link itself. */
function ownPlace({ projectId }: GuardedRoot, real: string): string {
  return projectId === undefined ? real : join(real, projectId)
}

/** Makes a folder part by part; through a link that leads out nothing is made. */
async function makeFolder(root: GuardedRoot, real: string, parts: readonly string[]): Promise<void> {
  let path = real
  for (const part of parts) {
    path = join(path, part)
    try {
      await mkdir(path, { mode: 0o700 })
    } catch (error) {
      const { code = 'unknown cause' } = error as NodeJS.ErrnoException
      if (code !== 'EEXIST') {
        throw new Problem(
          'not_configured',
          `Folder ${echo(parts.join('/'))} can't be made below ${root.variable} (${code})`,
        )
      }
    }
    path = await realpath(path)
    if (!isInside(path, ownPlace(root, real))) throw linkOut(parts, root)
  }
}

async function freeName(path: string): Promise<string> {
  const isTaken = async (one: string) => (await lstat(one).catch(() => undefined)) !== undefined
  if (!(await isTaken(path))) return path
  const dot = path.indexOf('.', path.lastIndexOf(sep) + 1)
  const [stem, end] = dot === -1 ? [path, ''] : [path.slice(0, dot), path.slice(dot)]
  for (let n = 2; ; n += 1) if (!(await isTaken(`${stem}-${n}${end}`))) return `${stem}-${n}${end}`
}

function noFolder(parts: readonly string[], { variable }: GuardedRoot): Problem {
  return new Problem('invalid_input', `There is no folder ${echo(parts.join('/'))} below ${variable}`)
}

function linkOut(parts: readonly string[], { variable, projectId }: GuardedRoot): Problem {
  const left = projectId === undefined ? variable : `the project's own folder below ${variable}`
  return new Problem('invalid_input', `Folder ${echo(parts.join('/'))} leads out of ${left} by a link`)
}

/** What a name leads to is no file inside the folder. */
export class OutsideFolder extends Error {
  readonly code = 'EACCES'
}

function outside(path: string): OutsideFolder {
  return new OutsideFolder(`${path} is no file inside its folder`)
}
