import type { Accumulator } from './accumulator.js'
import { addToSet } from './add-to-set.js'
import { avg } from './avg.js'
import { bottom } from './bottom.js'
import { bottomN } from './bottom-n.js'
import { count } from './count.js'
import { first } from './first.js'
import { firstN } from './first-n.js'
import { last } from './last.js'
import { lastN } from './last-n.js'
import { max } from './max.js'
import { maxN } from './max-n.js'
import { median } from './median.js'
import { mergeObjects } from './merge-objects.js'
import { min } from './min.js'
import { minN } from './min-n.js'
import { percentile } from './percentile.js'
import { push } from './push.js'
import { stdDevPop } from './std-dev-pop.js'
import { stdDevSamp } from './std-dev-samp.js'
import { sum } from './sum.js'
import { top } from './top.js'
import { topN } from './top-n.js'

/** Every accumulator of $group: the allow-list, a file each. */
export const accumulators: readonly Accumulator[] = [
  addToSet,
  avg,
  bottom,
  bottomN,
  count,
  first,
  firstN,
  last,
  lastN,
  max,
  maxN,
  median,
  mergeObjects,
  min,
  minN,
  percentile,
  push,
  stdDevPop,
  stdDevSamp,
  sum,
  top,
  topN,
]
