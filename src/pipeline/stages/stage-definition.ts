import type { OperatorDoc } from '../operator-doc.js'
import type { ParseContext, Shape } from '../parse-context.js'
import type { Stage } from '../tree.js'

/** A stage bound to its specification, and what is known of the documents after it. */
export interface ParsedStage {
  readonly stage: Stage
  readonly shape: Shape | undefined
}

/** Parses a sub-pipeline at the context's place. Handed to stages so that none imports the parser. */
export type ParseStages = (
  json: unknown,
  context: ParseContext,
) => { readonly stages: readonly Stage[]; readonly shape: Shape | undefined }

/** A stage of the language: one file each; the list in stage-definitions.ts is the allow-list. */
export interface StageDefinition {
  readonly name: string
  readonly doc: OperatorDoc
  parse(json: unknown, context: ParseContext, parseStages: ParseStages): ParsedStage
}
