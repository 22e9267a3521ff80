import type { z } from 'zod'
import { printable } from './printable.js'
import { holdsUnseen } from './text.js'

/**
 * A name that somebody gives a thing of the installation, as every boundary takes it: as `printable`, and nothing in it
 * that a reader can't see, so that no two names look alike and none turns the text around it. (Names that come from calls
 * are `printable`: they are compared with what is there.)
 */
export function label(longest: number): z.ZodString {
  return printable(longest).refine(
    text => !holdsUnseen(text),
    'must hold no characters that nobody can see, such as zero-width ones and marks of writing direction',
  )
}
