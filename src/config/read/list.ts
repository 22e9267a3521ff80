import type { z } from 'zod'
import { echo } from '../../base/text.js'
import { reader } from './reader.js'

/** A list with commas between; `kind` completes "holds 'x', which is not …". */
export function list(accepts: (entry: string) => boolean, kind: string): z.ZodType<readonly string[], string> {
  return reader(text => {
    const value = text
      .split(',')
      .map(entry => entry.trim())
      .filter(entry => entry !== '')
    const odd = value.find(entry => !accepts(entry))
    return odd === undefined ? { value } : { wrong: `holds ${echo(odd)}, which is not ${kind}` }
  })
}
