import { type Value, isDocument, isNumeric, toNumber } from '../../value.js'

/** The types $convert converts to. Decimals are doubles here: calls hold none. */
export type Target = 'double' | 'string' | 'bool' | 'date' | 'int' | 'long'

const BY_NAME: Readonly<Record<string, Target>> = {
  double: 'double',
  string: 'string',
  bool: 'bool',
  date: 'date',
  int: 'int',
  long: 'long',
  decimal: 'double',
}

const BY_NUMBER: ReadonlyMap<number, Target> = new Map([
  [1, 'double'],
  [2, 'string'],
  [8, 'bool'],
  [9, 'date'],
  [16, 'int'],
  [18, 'long'],
  [19, 'double'],
])

/** A type as `to` names it: "int", 16 or {type: "int"}; `undefined` for others. */
export function targetOf(to: Value): Target | undefined {
  if (isDocument(to) && Object.keys(to).length === 1 && Object.hasOwn(to, 'type')) return targetOf(to['type']!)
  if (isNumeric(to)) return BY_NUMBER.get(toNumber(to))
  return typeof to === 'string' && Object.hasOwn(BY_NAME, to) ? BY_NAME[to] : undefined
}
