// oxlint-disable unicorn/no-thenable -- $switch has branches with `then`
import { expressionOperators } from '../../src/pipeline/expressions/expression-operators.js'
import type { Random } from './random.js'

/** What an expression is likely to give. */
export type Kind = 'number' | 'string' | 'date' | 'bool' | 'list' | 'doc' | 'any'

/** A field of the documents at a stage. */
export interface KnownField {
  readonly path: string
  readonly kind: Kind
}

const NUMBERS = [
  0,
  1,
  2,
  -1,
  3,
  10,
  0.5,
  -2.5,
  100,
  { $numberLong: '5' },
  { $numberLong: '9007199254740993' },
  { $numberDouble: '2' },
  2147483647,
  null,
]
const STRINGS = [
  '',
  'a',
  'A',
  'b',
  'ab',
  'k.a',
  'high',
  '10',
  'é',
  '\u{1f600}',
  'o\u0027x',
  'phone',
  'Ana',
  '2026-03-01',
]
const DATES = [
  { $date: '2026-03-01T00:00:00Z' },
  { $date: '2026-03-29T01:30:00.500Z' },
  { $date: '1970-01-01T00:00:00Z' },
  '$$NOW',
  null,
]
/** What stands behind a day, to be read again or not. */
const TIMES = ['', 'Z', 'T10:30', ' 23:59:59.999', 'T10:30:00+05:30', 'T24:00', 'T10:30-3', ' 10:30z']
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', '+05:30', '-03:00', 'Asia/Kolkata']
const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond']
const COMPARISONS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$cmp']

/** What gives another answer every time, or sets in no order. */
const UNSTEADY = new Set(['$rand', '$setUnion', '$setIntersection', '$setDifference'])

const generic = expressionOperators.map(({ name }) => name).filter(name => !UNSTEADY.has(name))

/** Draws expressions; those of a kind mostly from what gives that kind. */
export class RandomExpressions {
  readonly #random: Random
  readonly #fields: readonly KnownField[]
  #variables: readonly KnownField[] = []

  constructor(random: Random, fields: readonly KnownField[]) {
    this.#random = random
    this.#fields = fields
  }

  any(depth: number): unknown {
    return this.of(this.#random.pick(['number', 'string', 'date', 'bool', 'list', 'doc', 'any'] as const), depth)
  }

  of(kind: Kind, depth: number): unknown {
    const random = this.#random
    if (random.oneIn(25)) return this.any(Math.max(0, depth - 1))
    if (depth > 0 && random.oneIn(10)) return this.#operator(depth)
    if (depth <= 0 || random.oneIn(3)) return this.#leaf(kind)
    if (random.oneIn(6)) return this.#conditional(kind, depth)
    switch (kind) {
      case 'number':
        return this.#number(depth)
      case 'string':
        return this.#string(depth)
      case 'date':
        return this.#date(depth)
      case 'bool':
        return this.#bool(depth)
      case 'list':
        return this.#list(depth)
      case 'doc':
        return this.#doc(depth)
      case 'any':
        return this.#leaf('any')
    }
  }

  #leaf(kind: Kind): unknown {
    const random = this.#random
    const fitting = [...this.#fields, ...this.#variables].filter(field => field.kind === kind)
    if (fitting.length > 0 && !random.oneIn(4)) return `$${random.pick(fitting).path}`
    switch (kind) {
      case 'number':
        return random.pick(NUMBERS)
      case 'string':
        return random.pick(STRINGS)
      case 'date':
        return random.pick(DATES)
      case 'bool':
        return random.pick([true, false])
      case 'list':
        return random.pick([[], [1, 2, 3], ['a', 'b'], [1, 'x', null], [[1], [2]], null])
      case 'doc':
        return random.pick([{ a: 1 }, { a: 1, b: 'x' }, { $literal: {} }, { a: { b: [1] } }])
      case 'any':
        return random.pick([null, '$nothing', '$nothing.at.all', 1, 'x'])
    }
  }

  #conditional(kind: Kind, depth: number): unknown {
    const value = () => this.of(kind, depth - 1)
    switch (this.#random.int(0, 3)) {
      case 0:
        return { $cond: [this.of('bool', depth - 1), value(), value()] }
      case 1:
        return { $ifNull: [value(), value()] }
      case 2:
        return { $switch: { branches: [{ case: this.of('bool', depth - 1), then: value() }], default: value() } }
      default:
        return { $let: { vars: { x: this.any(depth - 1) }, in: this.#bound([{ path: '$x', kind: 'any' }], value) } }
    }
  }

  /** An operator with operands of any kind: often an error, which both must raise. */
  #operator(depth: number): unknown {
    const random = this.#random
    const operands = random.many(1, 3, () => this.any(depth - 1))
    return { [random.pick(generic)]: random.oneIn(3) ? operands[0] : operands }
  }

  #bound<T>(variables: readonly KnownField[], draw: () => T): T {
    const before = this.#variables
    this.#variables = [...before, ...variables]
    const drawn = draw()
    this.#variables = before
    return drawn
  }

  #number(depth: number): unknown {
    const random = this.#random
    const number = () => this.of('number', depth - 1)
    const text = () => this.of('string', depth - 1)
    const date = () => this.of('date', depth - 1)
    return random.pick<() => unknown>([
      () => ({ [random.pick(['$add', '$multiply'])]: random.many(1, 3, number) }),
      () => ({ $subtract: [number(), number()] }),
      () => ({ $divide: [number(), random.pick([2, 4, 0.5, number()])] }),
      () => ({ $mod: [number(), random.pick([2, 3, number()])] }),
      () => ({ [random.pick(['$abs', '$ceil', '$floor', '$trunc', '$sqrt'])]: number() }),
      () => ({ $round: [number(), random.int(-1, 2)] }),
      () => ({ $pow: [number(), random.int(0, 3)] }),
      () => ({ $subtract: [date(), date()] }),
      () => ({
        $dateDiff: {
          startDate: date(),
          endDate: date(),
          unit: random.pick(UNITS),
          ...(random.oneIn(2) ? { timezone: random.pick(ZONES) } : {}),
        },
      }),
      () => ({
        [random.pick(['$year', '$month', '$dayOfMonth', '$dayOfWeek', '$hour', '$isoWeek', '$week', '$dayOfYear'])]:
          random.oneIn(3) ? { date: date(), timezone: random.pick(ZONES) } : date(),
      }),
      () => ({ [random.pick(['$strLenCP', '$strLenBytes'])]: text() }),
      () => ({ $indexOfCP: [text(), text()] }),
      () => ({ $strcasecmp: [text(), text()] }),
      () => ({ $size: this.of('list', depth - 1) }),
      () => ({ [random.pick(['$sum', '$avg', '$max', '$min'])]: this.of('list', depth - 1) }),
      () => ({
        [random.pick(['$toInt', '$toDouble', '$toLong'])]: random.pick([number(), this.of('bool', depth - 1), text()]),
      }),
      () => ({
        $convert: { input: this.any(depth - 1), to: random.pick(['int', 'double', 'long']), onError: -1, onNull: 0 },
      }),
      () => ({ $cmp: [this.any(depth - 1), this.any(depth - 1)] }),
      () => ({ $indexOfArray: [this.of('list', depth - 1), this.any(depth - 1)] }),
      () => ({ $arrayElemAt: [this.of('list', depth - 1), random.int(-2, 2)] }),
      () => ({ $reduce: { input: this.of('list', depth - 1), initialValue: 0, in: { $add: ['$$value', 1] } } }),
      () => ({
        $reduce: {
          input: random.pick<unknown>(['$scores', '$signals', { $range: [0, 3] }, this.of('list', depth - 1)]),
          initialValue: random.pick<unknown>([0, 0.5, null, '$score', '$nothing']),
          in: random.pick<unknown>([
            { $add: ['$$value', '$$this.value'] },
            { $multiply: ['$$value', { $ifNull: ['$$this.strength', 2.5] }] },
            { $max: ['$$value', '$$this.value'] },
            { $cond: [{ $gt: ['$$this.value', '$$value'] }, '$$value', 1] },
            { $divide: ['$$value', '$$this.value'] },
            { $ifNull: ['$$this.strength', '$$value'] },
            { $add: ['$$value', number()] },
          ]),
        },
      }),
      () => ({ $sum: random.pick(['$scores.value', '$signals.strength', '$transcript.start']) }),
      () => ({ [random.pick(['$isoWeekYear', '$isoDayOfWeek', '$minute', '$second', '$millisecond'])]: date() }),
      () => ({ $indexOfBytes: [text(), text(), random.int(0, 2)] }),
      () => ({ $indexOfCP: [text(), text(), random.int(0, 2), random.int(0, 4)] }),
      () => ({ [random.pick(['$bitAnd', '$bitOr', '$bitXor'])]: random.many(1, 2, number) }),
      () => ({ [random.pick(['$exp', '$ln', '$log10', '$sin', '$cos', '$atan'])]: number() }),
      () => ({ $trunc: [number(), random.int(-1, 2)] }),
      () => ({ [random.pick(['$stdDevPop', '$stdDevSamp'])]: this.of('list', depth - 1) }),
      () => ({ $median: { input: this.of('list', depth - 1), method: 'approximate' } }),
      () => ({
        $dateDiff: { startDate: date(), endDate: date(), unit: 'week', startOfWeek: random.pick(['mon', 'friday']) },
      }),
      () => ({ $size: { $regexFindAll: { input: text(), regex: random.pick(['a', '[0-9]', '(.)(b)?']) } } }),
    ])()
  }

  #string(depth: number): unknown {
    const random = this.#random
    const text = () => this.of('string', depth - 1)
    return random.pick<() => unknown>([
      () => ({ $concat: random.many(1, 3, text) }),
      () => ({ [random.pick(['$toLower', '$toUpper'])]: text() }),
      () => ({ [random.pick(['$substrCP', '$substrBytes'])]: [text(), random.int(0, 2), random.int(0, 3)] }),
      () => ({ [random.pick(['$trim', '$ltrim', '$rtrim'])]: { input: text() } }),
      () => ({
        [random.pick(['$replaceAll', '$replaceOne'])]: {
          input: text(),
          find: random.pick(['a', '.', 'é']),
          replacement: random.pick(['', '$1', 'x']),
        },
      }),
      () => ({
        $toString: random.pick([
          this.of('number', depth - 1),
          this.of('bool', depth - 1),
          this.of('date', depth - 1),
          text(),
        ]),
      }),
      () => ({ $type: this.any(depth - 1) }),
      () => ({
        $dateToString: {
          date: this.of('date', depth - 1),
          format: random.pick(['%Y-%m-%d', '%G-W%V', '%H:%M:%S.%L', '%d.%m.%Y %%', '%j %w %u %U']),
          ...(random.oneIn(2) ? { timezone: random.pick(ZONES) } : {}),
        },
      }),
      () => ({ $arrayElemAt: [{ $split: [text(), random.pick(['a', '.', ' '])] }, 0] }),
      () => ({
        $convert: {
          input: this.any(depth - 1),
          to: random.pick(['string', 'bool', 'date']),
          ...(random.oneIn(2) ? { onError: 'bad', onNull: 'none' } : {}),
        },
      }),
      () => ({ $getField: { field: 'match', input: this.#found(depth) } }),
      () => ({ $substrCP: [text(), random.int(0, 3), random.pick([1, 2, 100])] }),
      () => ({ [random.pick(['$trim', '$ltrim', '$rtrim'])]: { input: text(), chars: random.pick(['a', ' x', 'é']) } }),
      () => ({
        $reduce: {
          input: this.of('list', depth - 1),
          initialValue: '',
          in: { $concat: ['$$value', { $type: '$$this' }] },
        },
      }),
      () => this.#joined(depth),
      () => this.#joined(depth),
      () => ({ $getField: { field: 'key', input: { $arrayElemAt: [this.of('list', depth - 1), 0] } } }),
    ])()
  }

  /** A text joined of an array's texts, as analysts write it. */
  #joined(depth: number): unknown {
    const random = this.#random
    const isFirst = { $eq: ['$$value', ''] }
    return {
      $reduce: {
        input: random.pick<unknown>([
          '$signals.key',
          { $ifNull: ['$signals.key', []] },
          { $split: [this.of('string', depth - 1), random.pick(['a', '.', ' '])] },
          this.of('list', depth - 1),
        ]),
        initialValue: random.pick(['', '', 'x', '$title']),
        in: random.pick<unknown>([
          { $concat: ['$$value', ', ', '$$this'] },
          { $concat: ['$$value', { $cond: [isFirst, '', ', '] }, '$$this'] },
          { $cond: [isFirst, '$$this', { $concat: ['$$value', ', ', '$$this'] }] },
        ]),
      },
    }
  }

  #found(depth: number): unknown {
    const random = this.#random
    return {
      $regexFind: {
        input: this.of('string', depth - 1),
        regex: random.pick(['a', '^.', '[A-Z]+', '(é)|(b)', '(\\d)(\\d)?', '\\s']),
        ...(random.oneIn(2) ? { options: random.pick(['i', 's', 'm']) } : {}),
      },
    }
  }

  #date(depth: number): unknown {
    const random = this.#random
    const date = () => this.of('date', depth - 1)
    const zone = () => (random.oneIn(2) ? { timezone: random.pick(ZONES) } : {})
    return random.pick<() => unknown>([
      () => ({ $dateTrunc: { date: date(), unit: random.pick(UNITS.slice(0, -1)), ...zone() } }),
      () => ({ $dateTrunc: { date: date(), unit: 'week', startOfWeek: random.pick(['monday', 'sat']), ...zone() } }),
      () => ({ $dateAdd: { startDate: date(), unit: random.pick(UNITS), amount: random.int(-40, 40), ...zone() } }),
      () => ({ $dateSubtract: { startDate: date(), unit: random.pick(UNITS), amount: random.int(0, 5), ...zone() } }),
      () => ({ $add: [date(), random.int(-100_000, 100_000)] }),
      () => ({ $toDate: random.pick([date(), { $toLong: date() }, this.any(0)]) }),
      () => ({
        $dateFromString: {
          dateString: random.oneIn(2)
            ? { $concat: [{ $dateToString: { date: date(), format: '%Y-%m-%d' } }, random.pick(TIMES)] }
            : this.of('string', depth - 1),
          ...(random.oneIn(4) ? {} : { onError: random.pick<unknown>([null, '$nothing', date()]) }),
          ...(random.oneIn(2) ? {} : { onNull: random.pick<unknown>([null, date()]) }),
        },
      }),
      () => ({ $dateFromParts: { year: random.int(2020, 2027), month: random.int(1, 12), day: random.int(1, 28) } }),
      () => ({ $max: [date(), date()] }),
      () => ({
        $dateFromParts: {
          year: random.int(1969, 2031),
          month: random.int(-2, 15),
          day: random.int(-3, 40),
          hour: this.of('number', 0),
          ...zone(),
        },
      }),
      () => ({ $dateFromParts: { isoWeekYear: random.int(2019, 2027), isoWeek: random.int(1, 53), ...zone() } }),
      () => ({
        $dateTrunc: { date: date(), unit: random.pick(UNITS.slice(0, -1)), binSize: random.int(1, 9), ...zone() },
      }),
      () => ({
        $dateFromString: {
          dateString: this.of('string', depth - 1),
          ...(random.oneIn(2) ? { onError: null, onNull: { $date: '2000-01-01' } } : {}),
        },
      }),
    ])()
  }

  #bool(depth: number): unknown {
    const random = this.#random
    const kind = random.pick(['number', 'string', 'date', 'bool', 'any'] as const)
    return random.pick<() => unknown>([
      () => ({ [random.pick(COMPARISONS)]: [this.of(kind, depth - 1), this.of(kind, depth - 1)] }),
      () => ({ [random.pick(COMPARISONS)]: [this.of(kind, depth - 1), null] }),
      () => ({ [random.pick(['$and', '$or'])]: random.many(0, 3, () => this.of('bool', depth - 1)) }),
      () => ({ $not: this.any(depth - 1) }),
      () => ({ $in: [this.of(kind, depth - 1), this.of('list', depth - 1)] }),
      () => ({ $in: [this.of('string', depth - 1), ['a', 'b', 'high', 'phone']] }),
      () => ({
        $regexMatch: {
          input: this.of('string', depth - 1),
          regex: random.pick(['^a', 'é', '[0-9]+', 'B']),
          options: random.pick(['', 'i']),
        },
      }),
      () => ({ [random.pick(['$isNumber', '$isArray', '$toBool'])]: [this.any(depth - 1)] }),
      () => ({ $anyElementTrue: [this.of('list', depth - 1)] }),
      () => ({ $setIsSubset: [this.of('list', depth - 1), this.of('list', depth - 1)] }),
      () => ({ $setEquals: [this.of('list', depth - 1), this.of('list', depth - 1)] }),
      () => ({ $allElementsTrue: [this.of('list', depth - 1)] }),
      () => ({ $in: [this.any(depth - 1), this.of('list', depth - 1)] }),
      () => ({ $gt: ['$nothing', this.any(depth - 1)] }),
    ])()
  }

  #list(depth: number): unknown {
    const random = this.#random
    const list = () => this.of('list', depth - 1)
    const element: readonly KnownField[] = [
      { path: '$this', kind: 'any' },
      { path: '$this.key', kind: 'string' },
      { path: '$this.turn', kind: 'number' },
    ]
    return random.pick<() => unknown>([
      () => ({ $map: { input: list(), in: this.#bound(element, () => this.any(depth - 1)) } }),
      () => ({ $filter: { input: list(), cond: this.#bound(element, () => this.of('bool', depth - 1)) } }),
      () => ({ $slice: [list(), random.int(-2, 2)] }),
      () => ({ $concatArrays: random.many(1, 2, list) }),
      () => ({ $reverseArray: list() }),
      () => ({ $sortArray: { input: list(), sortBy: random.pick<unknown>([1, -1, { key: 1 }]) } }),
      () => ({
        $sortArray: {
          input: random.pick<unknown>(['$signals', '$scores', '$dimensions']),
          sortBy: random.pick<unknown>([
            { strength: -1 },
            { value: -1 },
            { state: 1, key: 1 },
            { value: -1, key: 1 },
            { 'evidence.turn': 1 },
          ]),
        },
      }),
      () => ({
        $reduce: {
          input: random.pick<unknown>(['$scores.range', { $map: { input: list(), in: ['$$this'] } }, list()]),
          initialValue: [],
          in: { $concatArrays: ['$$value', '$$this'] },
        },
      }),
      () => ({
        $regexFindAll: {
          input: this.of('string', depth - 1),
          regex: random.pick(['a', '[0-9]+', 'é|b', '.?', '[^ ]+']),
        },
      }),
      () => ({ $split: [this.of('string', depth - 1), random.pick(['a', '.', ' '])] }),
      () => ({ $range: [0, random.int(0, 3)] }),
      () => ({ $objectToArray: this.of('doc', depth - 1) }),
      () => ({
        $sortArray: {
          input: { [random.pick(['$setUnion', '$setIntersection', '$setDifference'])]: [list(), list()] },
          sortBy: 1,
        },
      }),
      () => ({ $zip: { inputs: [list(), list()] } }),
      () => ({ $zip: { inputs: [list(), list()], useLongestLength: true, defaults: [0, 'x'] } }),
      () => ({ $map: { input: { $map: { input: list(), as: 'e', in: ['$$e'] } }, as: 'f', in: { $size: '$$f' } } }),
      () => ({ $filter: { input: list(), as: 'e', cond: { $ne: ['$$e', null] }, limit: random.int(1, 2) } }),
      () => ({ $objectToArray: this.of('any', depth - 1) }),
      () => ({ $getField: { field: 'captures', input: this.#found(depth) } }),
      () => ({ $slice: [list(), random.int(-2, 2), random.int(1, 2)] }),
      () => ({ [random.pick(['$maxN', '$minN', '$lastN'])]: { input: list(), n: random.int(1, 3) } }),
      () => ({ $percentile: { input: list(), p: [0.25, 1], method: 'approximate' } }),
      () => random.many(0, 3, () => this.any(depth - 1)),
      () => ({ $firstN: { input: list(), n: random.int(1, 2) } }),
    ])()
  }

  #doc(depth: number): unknown {
    const random = this.#random
    return random.pick<() => unknown>([
      () => Object.fromEntries(random.many(1, 3, () => [random.pick(['a', 'b', 'c', 'A']), this.any(depth - 1)])),
      () => ({ $mergeObjects: random.many(1, 2, () => this.of('doc', depth - 1)) }),
      () => ({ $dateToParts: { date: this.of('date', depth - 1) } }),
      () => this.#found(depth),
      () => ({ $dateToParts: { date: this.of('date', depth - 1), iso8601: true, timezone: random.pick(ZONES) } }),
      () => ({ $arrayToObject: { $objectToArray: this.of('doc', depth - 1) } }),
      () => ({
        $arrayToObject: [
          [
            ['a', this.any(depth - 1)],
            ['b', 1],
          ],
        ],
      }),
      () => ({ $unsetField: { field: random.pick(['a', 'level', 'x']), input: this.of('doc', depth - 1) } }),
      () => ({ $setField: { field: 'x', input: this.of('doc', depth - 1), value: this.any(depth - 1) } }),
    ])()
  }
}
