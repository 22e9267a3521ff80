import { add } from './arithmetic/add.js'
import { divide } from './arithmetic/divide.js'
import { multiply } from './arithmetic/multiply.js'
import { subtract } from './arithmetic/subtract.js'
import { size } from './array/size.js'
import { and } from './boolean/and.js'
import { not } from './boolean/not.js'
import { or } from './boolean/or.js'
import { cmp } from './comparison/cmp.js'
import { eq } from './comparison/eq.js'
import { gt } from './comparison/gt.js'
import { gte } from './comparison/gte.js'
import { lt } from './comparison/lt.js'
import { lte } from './comparison/lte.js'
import { ne } from './comparison/ne.js'
import { cond } from './conditional/cond.js'
import { ifNull } from './conditional/if-null.js'
import { dateTrunc } from './date/date-trunc.js'
import type { ExpressionOperator } from './expression-operator.js'

/** Every operator of expressions: the allow-list, a file each. $literal is part of the parser. */
export const expressionOperators: readonly ExpressionOperator[] = [
  add,
  and,
  cmp,
  cond,
  dateTrunc,
  divide,
  eq,
  gt,
  gte,
  ifNull,
  lt,
  lte,
  multiply,
  ne,
  not,
  or,
  size,
  subtract,
]
