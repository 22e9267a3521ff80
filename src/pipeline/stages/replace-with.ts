import { replaceWithStage } from './replace-root.js'
import type { StageDefinition } from './stage-definition.js'

/** $replaceRoot in its short form. */
export const replaceWith: StageDefinition = {
  name: '$replaceWith',
  doc: {
    form: '{ $replaceWith: <expression> }',
    meaning:
      'The short form of $replaceRoot: a document inside, or one that is computed, takes the place of the whole.',
    example: {
      documents: [{ _id: 1, agent: 'Ana', score: 4 }],
      pipeline: [{ $replaceWith: { who: '$agent', low: { $lt: ['$score', 3] } } }],
      result: [{ who: 'Ana', low: false }],
    },
  },
  parse: replaceWithStage,
}
