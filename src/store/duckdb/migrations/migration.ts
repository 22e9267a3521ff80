/** A step from one version of the store to the next. Its statements run in one transaction, in order. */
export interface Migration {
  /** The version the store has afterwards; versions count up by one. */
  readonly version: number
  readonly name: string
  readonly statements: readonly string[]
}
