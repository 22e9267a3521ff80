import { Refusal } from './refusal.js'
import { echo } from '../base/text.js'

const GATHERS = 'it gathers over documents; it stands in $group, $bucket or $setWindowFields'
const WINDOW = 'it is a window function; it stands in $setWindowFields'
const CONDITION = 'it is a condition; it stands in $match, such as {"$match": {"score": {"$exists": true}}}'

/** What is no expression although people write it as one, with where it belongs; accumulators aside, it is no accumulator either. */
const NO_EXPRESSION: ReadonlyMap<string, string> = new Map([
  ...['$addToSet', '$bottom', '$bottomN', '$count', '$push', '$top', '$topN'].map(name => [name, GATHERS] as const),
  ...[
    '$covariancePop',
    '$covarianceSamp',
    '$denseRank',
    '$derivative',
    '$documentNumber',
    '$expMovingAvg',
    '$integral',
    '$linearFill',
    '$locf',
    '$rank',
    '$shift',
  ].map(name => [name, WINDOW] as const),
  ...['$all', '$exists', '$nin', '$nor', '$expr', '$options'].map(name => [name, CONDITION] as const),
  ['$regex', 'it is a condition; as an expression it is $regexMatch'],
  ['$elemMatch', 'it is a condition; the elements that meet one are given by $filter'],
])

/** Refuses an operator that exists, but not where it stands, saying where it belongs. */
export function refuseMisplaced(path: string, name: string, as = 'expression'): void {
  const reason = NO_EXPRESSION.get(name)
  if (reason !== undefined) throw new Refusal(path, `The operator ${echo(name)} is no ${as}: ${reason}`)
}
