import type { FieldType } from '../../../calls/field-type.js'
import { entryType } from '../../given-type.js'
import type { ParseContext } from '../../parse-context.js'
import { shapeOf } from '../../stages/shape-of.js'
import type { Expression } from '../../tree.js'

/** What is known of the entries of a list, as the variable of $map, $filter and $reduce holds them. */
export const entryIn = (list: Expression, context: ParseContext): FieldType | undefined =>
  entryType(list, one => shapeOf(one, context))
