import type { FieldPath } from '../path.js'
import type { Expression } from '../tree.js'
import type { WindowFrame } from '../windows/window-frame.js'
import type { WindowCall } from '../windows/window-function.js'
import type { SortKey } from './sort.js'

/** A field that $setWindowFields sets. */
export interface WindowOutput {
  readonly path: FieldPath
  readonly operator: string
  readonly call: WindowCall
  readonly frame: WindowFrame | undefined
}

/** $setWindowFields, parsed; $fill makes one too. */
export interface WindowSpec {
  readonly partitionBy: Expression | undefined
  readonly sortBy: readonly SortKey[]
  readonly outputs: readonly WindowOutput[]
}
