import { sql } from '../compile/sql.js'
import { parseMatch } from '../match/parse-match.js'
import type { Predicate, Stage } from '../tree.js'
import type { StageDefinition } from './stage-definition.js'

/** $match from a parsed filter; narrowing makes its stage with this too. */
export function matchStage(predicate: Predicate): Stage {
  return {
    name: '$match',
    run: (documents, environment) => documents.filter(root => predicate.test(root, { ...environment, root })),
    compile: (relation, context) => {
      const condition = predicate.sql(context)
      if (condition === undefined) return undefined
      return context.step({ ...relation, tail: sql` where ${condition}` })
    },
    toJson: () => ({ $match: predicate.toJson() }),
    ...(predicate.pins === undefined ? {} : { pins: predicate.pins }),
  }
}

/** Keeps the documents that meet a filter. */
export const match: StageDefinition = {
  name: '$match',
  parse: (json, context) => ({ stage: matchStage(parseMatch(json, context)), shape: context.shape }),
}
