import { createHash } from 'node:crypto'
import { basename, dirname, sep } from 'node:path'
import { isUnprintable, normalName } from '../base/text.js'
import { fileStem, withoutEndings } from './file-stem.js'

/** Longest session id, UTF-16 units. */
const MOST_LENGTH = 200
/** Of a longer path so much of its end stays readable behind the hash. */
const READABLE_LENGTH = 150
/** Hex digits of a hash that stands for a path or a content: 128 bits. */
const HASH_DIGITS = 32

/** The ids that a file's place gives the one call in it, when nothing in the file names it. */
export interface PlaceIds {
  /** Its path below what was imported, without endings, with slashes and in NFC: the same wherever the folder lies. */
  readonly id: string
  /** The bare name of the file, by which earlier versions called it; absent where it is the same. */
  readonly bare?: string
}

/** @param path the file's path below the folder that was imported; of a file imported by itself its name */
export function placeIds(path: string): PlaceIds {
  const folder = dirname(path)
  const name = withoutEndings(basename(path))
  const id = fitting(normalName((folder === '.' ? name : `${folder}/${name}`).split(sep).join('/')))
  const stem = fileStem(path)
  const bare = stem === undefined ? undefined : normalName(stem)
  return bare === undefined || bare === '' || bare === id ? { id } : { id, bare }
}

/** The id of a call whose source has no place, such as standard input: the same for the same bytes. */
export function contentId(bytes: Uint8Array): string {
  return `content-${hashOf(bytes)}`
}

function fitting(path: string): string {
  if (path !== '' && path.length <= MOST_LENGTH && !isUnprintable(path)) return path
  const end = path.slice(-READABLE_LENGTH)
  return isUnprintable(end) ? hashOf(path) : `${hashOf(path)}-${end}`
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, HASH_DIGITS)
}
