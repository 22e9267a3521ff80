import { isOpaque } from './opaque.js'
import type { CompileContext, Stage } from '../tree.js'
import type { Relation } from './relation.js'

/** Stages that pass opaque values on, or look at them by expressions alone, which see to it themselves. */
const PASSING = new Set([
  '$project',
  '$addFields',
  '$set',
  '$unset',
  '$group',
  '$sortByCount',
  '$limit',
  '$skip',
  '$count',
  '$facet',
  '$sample',
  '$replaceRoot',
  '$replaceWith',
])

/** Stages that leave documents as they are and look at none of their fields. */
const WHOLE = new Set(['$limit', '$skip', '$count'])

/** A stage as SQL, unless it looks at a field that holds opaque values. */
export function compileStage(stage: Stage, relation: Relation, context: CompileContext): Relation | undefined {
  if (relation.columns.some(({ root }) => root) && !WHOLE.has(stage.name)) return undefined
  if (!PASSING.has(stage.name)) {
    const opaque = relation.columns.filter(({ type }) => isOpaque(type))
    const read = opaque.length === 0 ? undefined : (stage.reads?.(new Set()) ?? 'all')
    if (read === 'all' || opaque.some(({ name }) => read?.has(name) === true)) return undefined
  }
  return stage.compile(relation, context)
}
