import { isUnprintable } from './text.js'

/** What is wrong with a name of a file or folder below one that must not be left, with / between its parts; undefined: nothing. */
export function placeNameFault(name: string): string | undefined {
  if (isUnprintable(name)) return 'must hold no control characters or lone surrogates'
  if (name.includes('\\')) return 'must hold no backslash: parts are separated by /'
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'must be a name below the directory, not an absolute path'
  const parts = name.split('/')
  if (parts.includes('..')) return 'must not lead out of the directory (..)'
  if (parts.some(part => part === '' || part.startsWith('.'))) return 'must hold no empty or hidden parts'
  return undefined
}
