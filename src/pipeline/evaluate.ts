import type { Pipeline } from './pipeline.js'
import type { Document } from './value.js'

/** What a pipeline means, stage by stage over documents in memory. The documents given are not changed. */
export function evaluate(pipeline: Pipeline, documents: readonly Document[], from = 0): readonly Document[] {
  const environment = { now: pipeline.now, variables: new Map() }
  return pipeline.stages.slice(from).reduce((current, stage) => stage.run(current, environment), documents)
}
