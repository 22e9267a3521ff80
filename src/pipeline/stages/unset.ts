import { Refusal } from '../refusal.js'
import { projectStage } from './project.js'
import type { StageDefinition } from './stage-definition.js'

/** Drops fields: a name or an array of names, the exclusion of $project. */
export const unset: StageDefinition = {
  name: '$unset',
  parse: (json, context) => {
    const names: readonly unknown[] = Array.isArray(json) ? json : [json]
    if (names.length === 0 || !names.every(name => typeof name === 'string' && name !== '')) {
      throw new Refusal(context.where, '$unset takes a field name or an array of field names')
    }
    return projectStage(Object.fromEntries(names.map(name => [name as string, 0])), context)
  },
}
