import { avgOf } from './accumulate/avg.js'
import { maxOf } from './accumulate/max.js'
import { medianOf } from './accumulate/median.js'
import { minOf } from './accumulate/min.js'
import { percentileOf } from './accumulate/percentile.js'
import { stdDevPopOf } from './accumulate/std-dev-pop.js'
import { stdDevSampOf } from './accumulate/std-dev-samp.js'
import { sumOf } from './accumulate/sum.js'
import { abs } from './arithmetic/abs.js'
import { add } from './arithmetic/add.js'
import { ceil } from './arithmetic/ceil.js'
import { divide } from './arithmetic/divide.js'
import { exp } from './arithmetic/exp.js'
import { floor } from './arithmetic/floor.js'
import { ln } from './arithmetic/ln.js'
import { log } from './arithmetic/log.js'
import { log10 } from './arithmetic/log10.js'
import { mod } from './arithmetic/mod.js'
import { multiply } from './arithmetic/multiply.js'
import { pow } from './arithmetic/pow.js'
import { round } from './arithmetic/round.js'
import { sqrt } from './arithmetic/sqrt.js'
import { subtract } from './arithmetic/subtract.js'
import { trunc } from './arithmetic/trunc.js'
import { arrayElemAt } from './array/array-elem-at.js'
import { concatArrays } from './array/concat-arrays.js'
import { filter } from './array/filter.js'
import { firstNElements } from './array/first-n.js'
import { firstElement } from './array/first.js'
import { inArray } from './array/in.js'
import { indexOfArray } from './array/index-of-array.js'
import { isArrayOperator } from './array/is-array.js'
import { lastNElements } from './array/last-n.js'
import { lastElement } from './array/last.js'
import { map } from './array/map.js'
import { maxNElements } from './array/max-n.js'
import { minNElements } from './array/min-n.js'
import { range } from './array/range.js'
import { reduce } from './array/reduce.js'
import { reverseArray } from './array/reverse-array.js'
import { size } from './array/size.js'
import { slice } from './array/slice.js'
import { sortArray } from './array/sort-array.js'
import { zip } from './array/zip.js'
import { bitAnd } from './bitwise/bit-and.js'
import { bitNot } from './bitwise/bit-not.js'
import { bitOr } from './bitwise/bit-or.js'
import { bitXor } from './bitwise/bit-xor.js'
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
import { switchOperator } from './conditional/switch.js'
import { dateAdd } from './date/date-add.js'
import { dateDiff } from './date/date-diff.js'
import { dateFromParts } from './date/date-from-parts.js'
import { dateFromString } from './date/date-from-string.js'
import { dateSubtract } from './date/date-subtract.js'
import { dateToParts } from './date/date-to-parts.js'
import { dateToString } from './date/date-to-string.js'
import { dateTrunc } from './date/date-trunc.js'
import { dayOfMonth } from './date/day-of-month.js'
import { dayOfWeek } from './date/day-of-week.js'
import { dayOfYearOperator } from './date/day-of-year.js'
import { hour } from './date/hour.js'
import { isoDayOfWeek } from './date/iso-day-of-week.js'
import { isoWeekYear } from './date/iso-week-year.js'
import { isoWeekOperator } from './date/iso-week.js'
import { millisecond } from './date/millisecond.js'
import { minute } from './date/minute.js'
import { month } from './date/month.js'
import { second } from './date/second.js'
import { week } from './date/week.js'
import { year } from './date/year.js'
import { arrayToObject } from './object/array-to-object.js'
import { getField } from './object/get-field.js'
import { mergeObjects } from './object/merge-objects.js'
import { objectToArray } from './object/object-to-array.js'
import { setField } from './object/set-field.js'
import { unsetField } from './object/unset-field.js'
import { allElementsTrue } from './set/all-elements-true.js'
import { anyElementTrue } from './set/any-element-true.js'
import { setDifference } from './set/set-difference.js'
import { setEquals } from './set/set-equals.js'
import { setIntersection } from './set/set-intersection.js'
import { setIsSubset } from './set/set-is-subset.js'
import { setUnion } from './set/set-union.js'
import { concat } from './string/concat.js'
import { indexOfBytes } from './string/index-of-bytes.js'
import { indexOfCp } from './string/index-of-cp.js'
import { ltrim } from './string/ltrim.js'
import { regexFindAll } from './string/regex-find-all.js'
import { regexFind } from './string/regex-find.js'
import { regexMatch } from './string/regex-match.js'
import { replaceAll } from './string/replace-all.js'
import { replaceOne } from './string/replace-one.js'
import { rtrim } from './string/rtrim.js'
import { split } from './string/split.js'
import { strLenBytes } from './string/str-len-bytes.js'
import { strLenCp } from './string/str-len-cp.js'
import { strcasecmp } from './string/strcasecmp.js'
import { substrBytes } from './string/substr-bytes.js'
import { substrCp } from './string/substr-cp.js'
import { substr } from './string/substr.js'
import { toLower } from './string/to-lower.js'
import { toUpper } from './string/to-upper.js'
import { trim } from './string/trim.js'
import { acos } from './trigonometry/acos.js'
import { acosh } from './trigonometry/acosh.js'
import { asin } from './trigonometry/asin.js'
import { asinh } from './trigonometry/asinh.js'
import { atan } from './trigonometry/atan.js'
import { atan2 } from './trigonometry/atan2.js'
import { atanh } from './trigonometry/atanh.js'
import { cos } from './trigonometry/cos.js'
import { cosh } from './trigonometry/cosh.js'
import { degreesToRadians } from './trigonometry/degrees-to-radians.js'
import { radiansToDegrees } from './trigonometry/radians-to-degrees.js'
import { sin } from './trigonometry/sin.js'
import { sinh } from './trigonometry/sinh.js'
import { tan } from './trigonometry/tan.js'
import { tanh } from './trigonometry/tanh.js'
import { convert } from './type/convert.js'
import { isNumber } from './type/is-number.js'
import { toBool } from './type/to-bool.js'
import { toDate } from './type/to-date.js'
import { toDecimal } from './type/to-decimal.js'
import { toDouble } from './type/to-double.js'
import { toInt } from './type/to-int.js'
import { toLong } from './type/to-long.js'
import { toStringOperator } from './type/to-string.js'
import { type } from './type/type.js'
import { letOperator } from './variable/let.js'
import { literal } from './variable/literal.js'
import { rand } from './variable/rand.js'
import type { ExpressionOperator } from './expression-operator.js'

/** Every operator of expressions: the allow-list, a file each. */
export const expressionOperators: readonly ExpressionOperator[] = [
  avgOf,
  maxOf,
  medianOf,
  minOf,
  percentileOf,
  stdDevPopOf,
  stdDevSampOf,
  sumOf,
  abs,
  add,
  ceil,
  divide,
  exp,
  floor,
  ln,
  log,
  log10,
  mod,
  multiply,
  pow,
  round,
  sqrt,
  subtract,
  trunc,
  arrayElemAt,
  concatArrays,
  filter,
  firstNElements,
  firstElement,
  inArray,
  indexOfArray,
  isArrayOperator,
  lastNElements,
  lastElement,
  map,
  maxNElements,
  minNElements,
  range,
  reduce,
  reverseArray,
  size,
  slice,
  sortArray,
  zip,
  bitAnd,
  bitNot,
  bitOr,
  bitXor,
  and,
  not,
  or,
  cmp,
  eq,
  gt,
  gte,
  lt,
  lte,
  ne,
  cond,
  ifNull,
  switchOperator,
  dateAdd,
  dateDiff,
  dateFromParts,
  dateFromString,
  dateSubtract,
  dateToParts,
  dateToString,
  dateTrunc,
  dayOfMonth,
  dayOfWeek,
  dayOfYearOperator,
  hour,
  isoDayOfWeek,
  isoWeekYear,
  isoWeekOperator,
  millisecond,
  minute,
  month,
  second,
  week,
  year,
  arrayToObject,
  getField,
  mergeObjects,
  objectToArray,
  setField,
  unsetField,
  allElementsTrue,
  anyElementTrue,
  setDifference,
  setEquals,
  setIntersection,
  setIsSubset,
  setUnion,
  concat,
  indexOfBytes,
  indexOfCp,
  ltrim,
  regexFindAll,
  regexFind,
  regexMatch,
  replaceAll,
  replaceOne,
  rtrim,
  split,
  strLenBytes,
  strLenCp,
  strcasecmp,
  substrBytes,
  substrCp,
  substr,
  toLower,
  toUpper,
  trim,
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atan2,
  atanh,
  cos,
  cosh,
  degreesToRadians,
  radiansToDegrees,
  sin,
  sinh,
  tan,
  tanh,
  convert,
  isNumber,
  toBool,
  toDate,
  toDecimal,
  toDouble,
  toInt,
  toLong,
  toStringOperator,
  type,
  letOperator,
  literal,
  rand,
]
