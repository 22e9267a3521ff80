import { elemMatch } from './elem-match.js'
import { eq } from './eq.js'
import { exists } from './exists.js'
import { gt } from './gt.js'
import { gte } from './gte.js'
import { inOperator } from './in.js'
import type { LeafOperator } from './leaf-operator.js'
import { lt } from './lt.js'
import { lte } from './lte.js'
import { ne } from './ne.js'
import { nin } from './nin.js'
import { regex } from './regex.js'
import { size } from './size.js'

/** Every operator a field of $match may have: the allow-list, a file each. */
export const matchOperators: readonly LeafOperator[] = [
  elemMatch,
  eq,
  exists,
  gt,
  gte,
  inOperator,
  lt,
  lte,
  ne,
  nin,
  regex,
  size,
]
