export type { Document, Value } from './value.js'
export type { CompiledQuery, Param, Source, SourceColumn } from './compile/compiled-query.js'

declare const guarded: unique symbol
declare const scoped: unique symbol
/** A pipeline that passed the guard. */
export interface Pipeline {
  readonly [guarded]: true
}
/** A pipeline narrowed to a scope: the only thing a store runs. */
export interface ScopedPipeline {
  readonly [scoped]: true
}
