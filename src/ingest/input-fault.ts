/** Why an input can't be read, or not on from here; the end of a sentence that begins with the input's name. */
export class InputFault extends Error {
  override readonly name = 'InputFault'
}
