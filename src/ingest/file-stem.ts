import { basename, extname } from 'node:path'

const COMPRESSED = /\.(?:gz|zst)$/i

/** A file's name without its ending, and without that of its compression. */
export function withoutEndings(name: string): string {
  const bare = name.replace(COMPRESSED, '')
  return bare.slice(0, bare.length - extname(bare).length)
}

/** The name of a file without folder and endings; undefined for a stream, which has none. */
export function fileStem(file: string): string | undefined {
  const name = basename(file)
  const stem = withoutEndings(name)
  return stem === name ? undefined : stem
}
