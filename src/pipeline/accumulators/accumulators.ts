import type { Accumulator } from './accumulator.js'
import { addToSet } from './add-to-set.js'
import { avg } from './avg.js'
import { count } from './count.js'
import { first } from './first.js'
import { last } from './last.js'
import { max } from './max.js'
import { min } from './min.js'
import { push } from './push.js'
import { sum } from './sum.js'

/** Every accumulator of $group: the allow-list, a file each. */
export const accumulators: readonly Accumulator[] = [addToSet, avg, count, first, last, max, min, push, sum]
