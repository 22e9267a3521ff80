import type { FieldPath } from '../path.js'

/** An $unwind, parsed. */
export interface Unwind {
  readonly path: FieldPath
  readonly index: FieldPath | undefined
  readonly preserve: boolean
}
