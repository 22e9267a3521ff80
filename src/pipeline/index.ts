export { compile, type Compiled } from './compile/compile.js'
export {
  type CountedAs,
  type CountedBy,
  type CountedByAny,
  type CountedValue,
  type CountsAsked,
  countedValues,
  effectValue,
  countsShape,
  kindsCounted,
  measuredValues,
  narrowCounts,
  type CountedAgent,
  type PackedCount,
  type ScopedCounts,
  SECONDS_OF_ONE,
  SUMS_OF_ONE,
  tellsDays,
  valuesCounted,
} from './daily-counts.js'
export type { CompiledQuery } from './compile/compiled-query.js'
export type { Lookup, Source, SourceColumn } from './compile/source.js'
export { type RowShape, decoder, throwFailure } from './compile/decode.js'
export { Inexact } from './compile/inexact.js'
export { callSchema, callTexts, textFreeCallSchema } from './call-schema.js'
export { type Fragment, type Param, bind, join, sql, trusted } from './compile/sql.js'
export { localTimeSql } from './expressions/date/local-sql.js'
export { toLocal } from './expressions/date/time-zone.js'
export { evaluate } from './evaluate.js'
export { failedWhere } from './failed-where.js'
export { readInstant, readLiteral, toExtended, toPlain } from './extended-json.js'
export { fieldsRead } from './fields-read.js'
export { compareValues } from './order.js'
export { type PipelineLimits, defaultLimits } from './limits.js'
export { explainNarrowed, narrow, narrowToFuture, narrowToPresent } from './narrow.js'
export { type ParseOptions, parsePipeline } from './parse.js'
export { pinnedSession } from './pinned-session.js'
export type { Pipeline, PipelineSource, ScopedPipeline, TimeSpan } from './pipeline.js'
export type { Shape } from './parse-context.js'
export { readDocument } from './read-document.js'
export { Refusal } from './refusal.js'
export type { Scope, TextAccess } from './scope.js'
export { narrowCalls, type ScopedCalls } from './scoped-calls.js'
export type { Fields, FoundTexts, Stage } from './tree.js'
export { foundSql } from './compile/found-sql.js'
export { type Document, Double, type Value, double, isArray, isDocument, isInt } from './value.js'
