import type { Pipeline, ScopedPipeline } from './pipeline.js'
import type { Scope } from './scope.js'

/**
 * Narrows a pipeline to the calls its asker may hear. The restriction lies beneath the caller's first stage, on the
 * stored columns: no field a caller computes or renames can touch it.
 */
export function narrow(pipeline: Pipeline, scope: Scope): ScopedPipeline {
  return Object.freeze({ pipeline, scope }) as unknown as ScopedPipeline
}

/** The narrowed pipeline as MongoDB's JSON, the caller's restriction in it; the project is never shown. */
export function explainNarrowed({ pipeline, scope }: ScopedPipeline): readonly object[] {
  const restriction = scope.agents === 'all' ? [] : [{ $match: { agent_name: { $in: scope.agents } } }]
  return [...restriction, ...pipeline.stages.map(stage => stage.toJson())]
}
