import * as fc from 'fast-check'

/** A character of Unicode, each as likely; none is half of a pair. */
const character = fc.nat(0x10_f7_ff).map(n => String.fromCodePoint(n < 0xd8_00 ? n : n + 0x8_00))

/**
 * Any text: plain characters, names that every object has, and characters from all of Unicode. For those `fc.string` would first put
 * 1.1 million of them into a table, two seconds of processor.
 */
export const anyText = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ maxLength }),
    fc.array(character, { maxLength }).map(characters => characters.join('')),
  )
