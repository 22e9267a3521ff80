import { accumulators } from '../accumulators/accumulators.js'
import { accumulated } from './accumulated.js'
import { covariancePop } from './covariance-pop.js'
import { covarianceSamp } from './covariance-samp.js'
import { denseRank } from './dense-rank.js'
import { derivative } from './derivative.js'
import { documentNumber } from './document-number.js'
import { expMovingAvg } from './exp-moving-avg.js'
import { first } from './first.js'
import { integral } from './integral.js'
import { last } from './last.js'
import { linearFill } from './linear-fill.js'
import { locf } from './locf.js'
import { rank } from './rank.js'
import { shift } from './shift.js'
import type { WindowFunction } from './window-function.js'

const own: readonly WindowFunction[] = [
  covariancePop,
  covarianceSamp,
  denseRank,
  derivative,
  documentNumber,
  expMovingAvg,
  first,
  integral,
  last,
  linearFill,
  locf,
  rank,
  shift,
]

/** Accumulators that are no window functions in MongoDB. */
const NOT_OVER_WINDOWS = new Set(['$mergeObjects'])

/** Every function of $setWindowFields: the allow-list. Those of their own have a file each. */
export const windowFunctions: readonly WindowFunction[] = [
  ...own,
  ...accumulators
    .filter(({ name }) => !NOT_OVER_WINDOWS.has(name) && !own.some(one => one.name === name))
    .map(accumulated),
]
