/** Why a model gave no answer, in a sentence for the operator. Holds no key, and nothing that was sent. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault'
  /** Whether trying again may help. */
  readonly again: boolean
  /** Whether no other request can do better: a key, a model or an address is wrong, or the endpoint wants to be left alone. */
  readonly final: boolean
  /** Milliseconds the endpoint asks to wait. */
  readonly waitMs: number | undefined

  constructor(
    message: string,
    { again = false, final = false, waitMs }: { again?: boolean; final?: boolean; waitMs?: number } = {},
  ) {
    super(message)
    this.again = again
    this.final = final
    this.waitMs = waitMs
  }
}
