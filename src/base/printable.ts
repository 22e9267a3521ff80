import { z } from 'zod'
import { isUnprintable, normalName } from './text.js'

/**
 * A name or id as every boundary takes it: trimmed, in Unicode's composed form (NFC), 1 to `longest` UTF-16 units, no
 * control characters or lone surrogates.
 */
export function printable(longest: number): z.ZodString {
  return z
    .string()
    .overwrite(normalName)
    .min(1)
    .max(longest)
    .refine(text => !isUnprintable(text), 'must hold no control characters or lone surrogates')
}
