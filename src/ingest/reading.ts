/** How an import reads its inputs, the same for all of them. Goes to the workers as it is. */
export interface Reading {
  /** Masks personal numbers and addresses in every free text before anything is stored. */
  readonly redact: boolean
}
