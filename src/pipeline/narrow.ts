import { callTexts } from './call-schema.js'
import { toExtended } from './extended-json.js'
import type { Pipeline, ScopedPipeline, TimeSpan } from './pipeline.js'
import { reachesBeyond } from './reaches-beyond.js'
import type { Scope } from './scope.js'

/**
 * Narrows a pipeline to the calls its asker may hear. The restriction lies beneath the caller's first stage, on the
 * stored columns: no field a caller computes or renames can touch it.
 *
 * @param span only calls that begin within it; absent = all
 */
export function narrow(pipeline: Pipeline, scope: Scope, span?: TimeSpan): ScopedPipeline {
  return Object.freeze({ pipeline, scope, ...(span !== undefined && { span }) }) as unknown as ScopedPipeline
}

/**
 * Narrows a pipeline to calls that began before its request, too, unless it asks for others itself (see reachesBeyond):
 * what is counted up to now counts no call that is dated later. The one place that decides so.
 */
export function narrowToPresent(pipeline: Pipeline, scope: Scope): ScopedPipeline {
  return reachesBeyond(pipeline) ? narrow(pipeline, scope) : narrow(pipeline, scope, { before: pipeline.now })
}

/** Narrows a pipeline to calls that are yet to begin. */
export function narrowToFuture(pipeline: Pipeline, scope: Scope): ScopedPipeline {
  return narrow(pipeline, scope, { from: pipeline.now })
}

/** The narrowed pipeline as MongoDB's JSON, the caller's restriction in it; the project is never shown. */
export function explainNarrowed({ pipeline, scope, span }: ScopedPipeline): readonly object[] {
  const restriction = scope.agents === 'all' ? [] : [{ $match: { agent_name: { $in: scope.agents } } }]
  const { before, from } = span ?? {}
  const began = {
    ...(from !== undefined && { $gte: toExtended(from) }),
    ...(before !== undefined && { $lt: toExtended(before) }),
  }
  const inTime = span === undefined ? [] : [{ $match: { created_dt: began } }]
  const texts = scope.text === 'full' ? [] : [{ $unset: callTexts }]
  return [...restriction, ...inTime, ...texts, ...pipeline.stages.map(stage => stage.toJson())]
}
