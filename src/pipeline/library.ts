/**
 * The package's entry `earshot/pipeline`: aggregation pipelines over documents in memory, with the meaning and the guard
 * of the service.
 */
export { Problem, type ProblemCode, type ProblemDetail } from '../base/problem.js'
export type { FieldType } from '../calls/field-type.js'
export { callSchema } from './call-schema.js'
export { type PipelineLimits, defaultLimits } from './limits.js'
export type { Shape as Schema } from './parse-context.js'
export { Refusal } from './refusal.js'
export { type PlainDocument, type RunPipelineOptions, runPipeline } from './run-pipeline.js'
