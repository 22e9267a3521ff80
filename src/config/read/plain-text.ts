import type { z } from 'zod'
import { isUnprintable } from '../../base/text.js'
import { reader } from './reader.js'

/** Text that can stand on one line. */
export function plainText(): z.ZodType<string, string> {
  return reader(text => (isUnprintable(text) ? { wrong: 'holds a control character' } : { value: text }))
}
