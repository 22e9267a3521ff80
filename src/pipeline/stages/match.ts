import { filtered } from '../compile/rows.js'
import { presentColumns } from '../compile/present-columns.js'
import { parseMatch } from '../match/parse-match.js'
import { type Shape, withTypeAt } from '../parse-context.js'
import type { Predicate, Stage } from '../tree.js'
import type { StageDefinition } from './stage-definition.js'
import { allOf, asFields } from '../fields-read.js'

/** $match from a parsed filter; narrowing makes its stage with this too. */
export function matchStage(predicate: Predicate): Stage {
  return {
    name: '$match',
    run: (documents, environment) => documents.filter(root => predicate.test(root, { ...environment, root })),
    order: 'kept',
    compile: (relation, context) => {
      const condition = predicate.sql(context)
      if (condition === undefined) return undefined
      if (condition.fails !== undefined) context.mayFail(condition.fails)
      const matched = context.step({ ...relation, from: filtered(relation.from, condition.sql) })
      return { ...matched, columns: (predicate.excludes ?? []).reduce(presentColumns, matched.columns) }
    },
    toJson: () => ({ $match: predicate.toJson() }),
    reads: wanted => allOf(wanted, asFields(predicate.fields)),
    ...(predicate.pins === undefined ? {} : { pins: predicate.pins }),
    ...(predicate.finds === undefined
      ? {}
      : {
          finds: {
            patterns: predicate.finds.patterns,
            compares: predicate.compares ?? [],
            rest: matchStage(predicate.finds.rest),
          },
        }),
  }
}

/** Numbers that whatever is let through has. */
function shapeAfter({ excludes = [] }: Predicate, shape: Shape): Shape {
  return excludes.reduce(
    (known, { path, missing }) =>
      missing ? withTypeAt(known, path, type => (type.kind === 'double' ? { ...type, filled: true } : type)) : known,
    shape,
  )
}

export const match: StageDefinition = {
  name: '$match',
  doc: {
    form: '{ $match: { <field>: <condition>, … } }',
    meaning:
      'Keeps the documents that meet a filter. A condition on an array is met by the array itself or by any of its elements.',
    example: {
      documents: [
        { a: 1, tags: ['x'] },
        { a: 5, tags: ['x', 'y'] },
      ],
      pipeline: [{ $match: { a: { $gt: 2 }, tags: 'y' } }],
      result: [{ a: 5, tags: ['x', 'y'] }],
    },
  },
  parse: (json, context) => {
    const predicate = parseMatch(json, context)
    return { stage: matchStage(predicate), shape: context.shape && shapeAfter(predicate, context.shape) }
  },
}
