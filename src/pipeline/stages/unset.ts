import { parsePath, refuseCollisions } from '../path.js'
import { Refusal } from '../refusal.js'
import { projectStage } from './project.js'
import type { StageDefinition } from './stage-definition.js'

/** Drops fields: a name or an array of names, the exclusion of $project. */
export const unset: StageDefinition = {
  name: '$unset',
  doc: {
    form: '{ $unset: <field> } or { $unset: [<field>, …] }',
    meaning: 'Drops fields. Dotted paths reach into documents and arrays of documents.',
    example: {
      documents: [{ a: 1, b: { c: 2, d: 3 } }],
      pipeline: [{ $unset: ['a', 'b.c'] }],
      result: [{ b: { d: 3 } }],
    },
  },
  parse: (json, context) => {
    const names: readonly unknown[] = Array.isArray(json) ? json : [json]
    if (names.length === 0 || !names.every(name => typeof name === 'string' && name !== '')) {
      throw new Refusal(context.where, '$unset takes a field name or an array of field names')
    }
    refuseCollisions(
      names.map(name => parsePath(name as string, context.where)),
      context.where,
    )
    return projectStage(Object.fromEntries(names.map(name => [name as string, 0])), context)
  },
}
