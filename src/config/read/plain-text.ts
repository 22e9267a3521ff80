import type { z } from 'zod'
import { holdsUnseen } from '../../base/text.js'
import { reader } from './reader.js'

/** Text that can stand on one line. */
export function plainText(): z.ZodType<string, string> {
  return reader(text => (holdsUnseen(text) ? { wrong: 'holds a character that nobody can see' } : { value: text }))
}
