import { z } from 'zod'
import { isUnprintable } from '../../base/text.js'

/** Longest name of a folder, in UTF-16 units. */
const LONGEST_NAME = 200

/** A folder of a project by its name below the project's: `calls`, or `calls/retail`. Never a way out of it. */
export const folderName = z
  .string()
  .min(1)
  .max(LONGEST_NAME)
  .superRefine((name, context) => {
    const fault = faultOf(name)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
  })
  .meta({
    description: 'Name of a folder below the project’s in the directory the operator has set, such as calls/retail',
  })

function faultOf(name: string): string | undefined {
  if (isUnprintable(name)) return 'must hold no control characters or lone surrogates'
  if (name.includes('\\')) return 'must hold no backslash: parts are separated by /'
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'must be a name below the directory, not an absolute path'
  const parts = name.split('/')
  if (parts.includes('..')) return 'must not lead out of the directory (..)'
  if (parts.some(part => part === '' || part.startsWith('.'))) return 'must hold no empty or hidden parts'
  return undefined
}
