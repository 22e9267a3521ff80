import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'
import { Problem } from '../../base/problem.js'

export type KnowledgeFormat = 'markdown' | 'html' | 'text' | 'pdf'

const FORMATS: Readonly<Record<string, KnowledgeFormat>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.txt': 'text',
  '.pdf': 'pdf',
}

/** A file to read. */
export interface KnowledgeFile {
  readonly path: string
  /** Path within the folder that was named, with slashes; the file's own name when it was named itself. */
  readonly name: string
  readonly format: KnowledgeFormat
  readonly bytes: number
}

/**
 * The files that names lead to, folders looked through to the bottom; in a folder hidden files, links and files of other
 * formats are passed over. Rejects with a Problem for a name that leads nowhere or to a format that is not known.
 */
export async function knowledgeFiles(names: readonly string[]): Promise<readonly KnowledgeFile[]> {
  const found = await Promise.all(names.map(filesOf))
  return found.flat()
}

async function filesOf(named: string): Promise<readonly KnowledgeFile[]> {
  const info = await stat(named).catch(() => undefined)
  if (info === undefined) throw new Problem('not_found', `${named} is not there or can't be read`)
  if (!info.isDirectory()) {
    const format = FORMATS[extname(named).toLowerCase()]
    if (format !== undefined) return [{ path: named, name: basename(named), format, bytes: info.size }]
    throw new Problem('invalid_input', `${named} is of no known format (${Object.keys(FORMATS).join(', ')})`)
  }
  const entries = await readdir(named, { recursive: true, withFileTypes: true })
  const files = entries.flatMap(entry => {
    const path = join(entry.parentPath, entry.name)
    const name = relative(named, path).split(sep).join('/')
    const format = FORMATS[extname(path).toLowerCase()]
    const hidden = name.split('/').some(part => part.startsWith('.'))
    return entry.isFile() && format !== undefined && !hidden ? [{ path, name, format }] : []
  })
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return await Promise.all(sorted.map(async file => ({ ...file, bytes: (await stat(file.path)).size })))
}
