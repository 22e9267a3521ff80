import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ifThere } from '../../base/error-code.js'
import { Problem } from '../../base/problem.js'
import { syncDirectory } from '../../base/sync-directory.js'

/** The text of a file, undefined where there is none. @throws Problem `conflict` where it is no text */
export async function textOf(path: string): Promise<string | undefined> {
  const bytes = await ifThere(readFile(path))
  try {
    // Whatever is read is written again: nothing may be replaced, and a byte order mark is part of the file.
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Problem('conflict', `${path} is no text in UTF-8; nothing was written`)
  }
}

/**
 * Gives a file a new text at once or not at all, its rights as they were, and keeps the old one beside it under a name of its own.
 * A link stays a link. Answers where the old file is kept. @throws Problem `conflict` where somebody else changed it meanwhile
 */
export async function replaceFile(path: string, old: string | undefined, text: string): Promise<string | undefined> {
  await mkdir(dirname(path), { recursive: true })
  const target = old === undefined ? path : await realpath(path)
  const draft = `${target}.${randomBytes(6).toString('hex')}.part`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      if (old !== undefined) await file.chmod((await stat(target)).mode & 0o777)
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    if ((await textOf(path)) !== old) {
      throw new Problem('conflict', `${path} was changed by somebody else meanwhile; nothing was written`)
    }
    const kept = old === undefined ? undefined : `${target}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}.old`
    if (kept !== undefined) await copyFile(target, kept, constants.COPYFILE_EXCL)
    await rename(draft, target)
    await syncDirectory(dirname(target))
    return kept
  } finally {
    await rm(draft, { force: true })
  }
}
