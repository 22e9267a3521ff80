import { all } from './all.js'
import { bitsAllClear } from './bits-all-clear.js'
import { bitsAllSet } from './bits-all-set.js'
import { bitsAnyClear } from './bits-any-clear.js'
import { bitsAnySet } from './bits-any-set.js'
import { elemMatch } from './elem-match.js'
import { eq } from './eq.js'
import { exists } from './exists.js'
import { gt } from './gt.js'
import { gte } from './gte.js'
import { inOperator } from './in.js'
import type { LeafOperator } from './leaf-operator.js'
import { lt } from './lt.js'
import { lte } from './lte.js'
import { mod } from './mod.js'
import { ne } from './ne.js'
import { nin } from './nin.js'
import { regex } from './regex.js'
import { size } from './size.js'
import { type } from './type.js'

/** Every operator a field of $match may have: the allow-list, a file each. */
export const matchOperators: readonly LeafOperator[] = [
  all,
  bitsAllClear,
  bitsAllSet,
  bitsAnyClear,
  bitsAnySet,
  elemMatch,
  eq,
  exists,
  gt,
  gte,
  inOperator,
  lt,
  lte,
  mod,
  ne,
  nin,
  regex,
  size,
  type,
]
