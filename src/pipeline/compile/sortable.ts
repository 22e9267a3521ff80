import type { SqlType } from './types.js'

/** Whether the engine orders values of the type as MongoDB does: scalars of one class that are never NaN. */
export function isSortable(type: SqlType): boolean {
  switch (type.kind) {
    case 'string':
    case 'bool':
    case 'date':
      return true
    case 'int':
      return type.bits <= 63
    case 'double':
      return type.finite && type.mixed === undefined
    default:
      return false
  }
}
