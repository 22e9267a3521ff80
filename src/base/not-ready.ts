import type { FaultClass } from './fault-class.js'

/** Why no answer may leave at the moment: one stable word, and the kind of fault behind it where that is known. */
export interface NotReady {
  readonly code: string
  readonly cause?: FaultClass
}
