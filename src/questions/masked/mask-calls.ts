import type { ThreadWork } from '../../admission/threads.js'
import { callFields } from '../../calls/call-fields.js'
import type { FieldType } from '../../calls/field-type.js'
import { type Document, evaluate, parsePipeline } from '../../pipeline/index.js'
import { maskForKey } from '../../redact/mask-for-key.js'

/** Whole calls as plain values, and what is shown of each: a $project or $unset; all of it where there is none. */
export interface MaskTask {
  readonly calls: readonly Record<string, unknown>[]
  readonly shape?: object
}

/** Masks calls for a key that sees their texts so, in a thread: a call may be of many megabytes. */
export const MASK_CALLS: ThreadWork<MaskTask, readonly Document[]> = { name: 'maskCalls', deadlineMs: 30_000 }

const recordShape: ReadonlyMap<string, FieldType> = new Map(callFields.map(({ name, type }) => [name, type]))

/** What a thread runs. What is shown is made of what was masked, so that no shape can look past a mask. */
export function maskCalls({ calls, shape }: MaskTask): readonly Document[] {
  for (const call of calls) {
    const { _id: id } = call
    maskForKey(call)
    // Ids are what calls are asked for by, whatever they look like.
    if (id !== undefined) call['_id'] = id
  }
  const masked = calls as readonly Document[]
  if (shape === undefined) return masked
  return evaluate(parsePipeline([shape], { shape: recordShape, derivedFields: true }), masked)
}
