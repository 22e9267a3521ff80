import { basename, extname } from 'node:path'

const COMPRESSED = /\.(?:gz|zst)$/i

/** The name of a file without folder and endings; undefined for a stream, which has none. */
export function fileStem(file: string): string | undefined {
  const name = basename(file).replace(COMPRESSED, '')
  const ending = extname(name)
  return ending === '' && name === basename(file) ? undefined : name.slice(0, name.length - ending.length)
}
