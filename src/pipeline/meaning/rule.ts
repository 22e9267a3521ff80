import type { OperatorExample } from '../operator-doc.js'

/**
 * A rule of the language: what is meant where other readings are at hand. docs/pipeline-rules.md shows it with its
 * example; the case tables hold further rows under its name, and the tests run both in the engine and evaluated.
 */
export interface Rule {
  /** In a few words; how rows of the case tables and comments name it. */
  readonly name: string
  /** In a sentence or a few. */
  readonly says: string
  readonly example: OperatorExample | RefusedExample
}

/** A pipeline that is refused, or that fails over the documents. */
export interface RefusedExample extends Omit<OperatorExample, 'result'> {
  /** The sentence, or the part of it that tells the reason. */
  readonly error: string
}

/** The rules of one subject, in the order of the page. */
export interface RuleSet {
  readonly title: string
  readonly rules: readonly Rule[]
}
