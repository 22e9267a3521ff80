import type { PipelineLimits } from './limits.js'
import type { Shape } from './parse-context.js'
import type { Scope } from './scope.js'
import type { Stage } from './tree.js'

declare const guarded: unique symbol
declare const narrowed: unique symbol

/** A pipeline that passed the guard: only parse.ts makes one. */
export interface Pipeline {
  readonly [guarded]: true
  readonly stages: readonly Stage[]
  /** The one instant of the request, for `$$NOW`. */
  readonly now: Date
  /** It was written by us and may name the derived fields of the source. */
  readonly derivedFields: boolean
  /** Advice to the author that does not stop the pipeline. */
  readonly warnings: readonly string[]
  /** What it was parsed from: plain data, so that another thread can parse it again to the same pipeline. */
  readonly source: PipelineSource
}

/** A pipeline before it is parsed, with what it is parsed by. */
export interface PipelineSource {
  readonly json: readonly unknown[]
  readonly shape: Shape | undefined
  readonly limits: PipelineLimits
}

/** Calls that begin from one instant on and before another. */
export interface TimeSpan {
  readonly from?: Date
  readonly before?: Date
}

/** A pipeline narrowed to a scope: only narrow.ts makes one, and a store runs nothing else. */
export interface ScopedPipeline {
  readonly [narrowed]: true
  readonly pipeline: Pipeline
  readonly scope: Scope
  /** Only calls that begin within it; absent = all. */
  readonly span?: TimeSpan
}
