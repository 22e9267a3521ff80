import { Random } from './random.js'
import { type Kind, type KnownField, RandomExpressions } from './random-expression.js'

const record: readonly KnownField[] = (
  [
    ['_id', 'string'],
    ['session_id', 'string'],
    ['agent_id', 'string'],
    ['agent_name', 'string'],
    ['created_dt', 'date'],
    ['title', 'string'],
    ['channel', 'string'],
    ['interaction_direction', 'string'],
    ['language_primary', 'string'],
    ['score', 'number'],
    ['predicted_csat', 'number'],
    ['outcome_lift', 'doc'],
    ['outcome_lift.lift', 'number'],
    ['outcome_lift.lift_band', 'string'],
    ['dimensions', 'list'],
    ['dimensions.value', 'list'],
    ['scores', 'list'],
    ['scores.value', 'list'],
    ['signals', 'list'],
    ['signals.key', 'list'],
    ['signals.strength', 'list'],
    ['signals.evidence', 'list'],
    ['signals.evidence.turn', 'list'],
    ['talk_patterns', 'doc'],
    ['talk_patterns.hold_count', 'number'],
    ['talk_patterns.interruption_count', 'number'],
    ['talk_patterns.total_duration_s', 'number'],
    ['trust', 'doc'],
    ['trust.level', 'string'],
    ['trust.score', 'number'],
    ['trust.reasons', 'list'],
    ['transcript', 'list'],
    ['transcript.turn', 'list'],
    ['evaluation.evaluated_at', 'date'],
    ['evaluation', 'doc'],
    ['session_metadata', 'any'],
    ['session_metadata.s', 'string'],
    ['session_metadata.n', 'any'],
    ['session_metadata.v', 'any'],
    ['session_metadata.v.x', 'any'],
    ['session_metadata.o.p', 'any'],
    ['session_metadata.o', 'any'],
    ['session_metadata.tags', 'list'],
    ['nothing', 'any'],
  ] as const
).map(([path, kind]) => ({ path, kind }))

const NUMBERS = [0, 1, 2, 3.5, -1, 10, 2147483648, { $numberDouble: '2' }, { $numberLong: '1' }]
const STRINGS = ['', 'a', 'A', 'b', 'ab', 'k.a', 'high', 'phone', 'present', '10', 'é', '\u{1f600}', '$a', 'Ana', 'c1']
const DATES = ['2026-03-01', '2026-03-01T00:00:00.001Z', { $date: '2026-01-01T00:00:00Z' }]
const TYPES = ['string', 'int', 'double', 'number', 'array', 'object', 'null', 'bool', 'date', 'long']

/** Draws pipelines over calls; what depends on an order only where there is one. */
class RandomPipeline {
  readonly #random: Random
  #fields: readonly KnownField[] = record
  /** The documents have an _id of their own each. */
  #unique = true
  /**
   * The documents are in one possible order only: that of the calls, until they are grouped by what may hold documents or
   * arrays of metadata (rule "groups in order").
   */
  #ordered = true
  #inFacet = false

  constructor(seed: number) {
    this.#random = new Random(seed)
  }

  get ordered(): boolean {
    return this.#ordered
  }

  stages(most: number): object[] {
    const drawn = this.#random
      .many(1, most, () => (this.#random.oneIn(40) ? this.#gatheredSets() : this.#stage()))
      .flat()
    // What is known is known of the end.
    if (drawn.length > most + 1) this.#ordered = false
    return drawn.slice(0, most + 1)
  }

  get #expressions(): RandomExpressions {
    return new RandomExpressions(this.#random, this.#fields)
  }

  #field(kind?: Kind): KnownField {
    const fitting = kind === undefined ? this.#fields : this.#fields.filter(field => field.kind === kind)
    return this.#random.pick(fitting.length === 0 ? record : fitting)
  }

  #stage(): object {
    const random = this.#random
    const kinds: (() => object)[] = [
      () => ({ $match: this.#filter(2) }),
      () => ({ $match: this.#filter(2) }),
      () => this.#addFields(),
      () => this.#project(),
      () => this.#group(),
      () => this.#group(),
      () => this.#sort(),
      () => this.#sort(),
      () => this.#unwind(),
      () => this.#count(),
      () => this.#sortByCount(),
      () => this.#bucket(),
      () => this.#replace(),
      () => ({
        $redact: { $cond: [this.#expressions.of('bool', 2), random.pick(['$$KEEP', '$$DESCEND']), '$$PRUNE'] },
      }),
      () => this.#unset(),
      () => this.#fill(),
      () => (random.oneIn(3) ? this.#densify() : this.#sort()),
    ]
    if (this.#ordered)
      kinds.push(
        () => this.#cut(),
        () => this.#cut(),
      )
    if (this.#unique || this.#ordered) kinds.push(() => this.#windows())
    if (!this.#inFacet) kinds.push(() => this.#facet())
    return random.pick(kinds)()
  }

  #literal(kind: Kind): unknown {
    const random = this.#random
    if (random.oneIn(8)) return null
    if (random.oneIn(12)) return random.pick<unknown>([[], ['a'], [1, 2], { x: 1 }, {}, true, { $numberDouble: 'NaN' }])
    const of = random.oneIn(8) ? random.pick(['number', 'string', 'date', 'bool'] as const) : kind
    switch (of) {
      case 'number':
        return random.pick(NUMBERS)
      case 'date':
        return random.pick(DATES)
      case 'bool':
        return random.pick([true, false])
      case 'string':
        return random.pick(STRINGS)
      default:
        return random.pick<unknown>([...NUMBERS, ...STRINGS])
    }
  }

  #leaf(kind: Kind, depth: number): object {
    const random = this.#random
    const value = () => this.#literal(kind === 'list' ? 'string' : kind)
    return random.pick<() => object>([
      () => ({ $eq: value() }),
      () => ({ $ne: value() }),
      () => ({ [random.pick(['$gt', '$gte', '$lt', '$lte'])]: value() }),
      () => ({ $gte: value(), $lt: value() }),
      () => ({ [random.pick(['$in', '$nin'])]: random.many(0, 3, value) }),
      () => ({ $exists: random.pick([true, false]) }),
      () => ({ $type: random.many(1, 2, () => random.pick(TYPES)) }),
      () => ({ $regex: random.pick(['^a', 'é', 'B', '[0-9]', '']), $options: random.pick(['', 'i']) }),
      () => ({ $size: random.int(0, 2) }),
      () => ({ $all: random.many(0, 2, value) }),
      () => ({ $mod: [random.pick([2, 3, -1]), random.int(0, 1)] }),
      () => ({ [random.pick(['$bitsAllSet', '$bitsAnySet', '$bitsAllClear', '$bitsAnyClear'])]: random.int(0, 5) }),
      () => ({
        $elemMatch:
          depth > 0 && random.oneIn(2)
            ? this.#leaf('any', depth - 1)
            : { [random.pick(['key', 'turn', 'x', 'state'])]: this.#leaf('any', 0) },
      }),
      () => ({ $not: depth > 0 ? this.#leaf(kind, depth - 1) : { $eq: value() } }),
    ])()
  }

  #filter(depth: number): object {
    const random = this.#random
    if (depth > 0 && random.oneIn(4))
      return { [random.pick(['$and', '$or', '$nor'])]: random.many(1, 3, () => this.#filter(depth - 1)) }
    if (random.oneIn(5)) return { $expr: this.#expressions.of('bool', 2) }
    const { path, kind } = this.#field()
    const step = random.oneIn(15) ? '.0' : ''
    return { [`${path}${step}`]: random.oneIn(3) ? this.#literal(kind) : this.#leaf(kind, depth) }
  }

  #name(): string {
    return this.#random.pick(['x', 'y', 'z', 'score', 'title', 'w.v'])
  }

  #set(path: string, kind: Kind): void {
    const top = path.split('.')[0]!
    const others = this.#fields.filter(
      field => field.path !== path && (path === top ? !field.path.startsWith(`${path}.`) : field.path !== top),
    )
    this.#fields = [...others, { path, kind }]
  }

  #computed(low: number, high: number): Record<string, unknown> {
    const kinds = ['number', 'string', 'date', 'bool', 'list', 'doc', 'any'] as const
    const drawn = this.#random.many(low, high, () => {
      const kind = this.#random.pick(kinds)
      return { name: this.#name(), kind, expression: this.#expressions.of(kind, 3) }
    })
    const unique = new Map(drawn.map(one => [one.name, one]))
    for (const { name, kind } of unique.values()) this.#set(name, kind)
    return Object.fromEntries([...unique.values()].map(({ name, expression }) => [name, expression]))
  }

  #addFields(): object {
    return { [this.#random.pick(['$addFields', '$set'])]: this.#computed(1, 2) }
  }

  #project(): object {
    const random = this.#random
    if (random.oneIn(4)) {
      const dropped = random.many(1, 2, () => this.#field().path).filter(path => path !== '_id')
      if (dropped.length === 1) {
        this.#fields = this.#fields.filter(
          field => field.path !== dropped[0] && !field.path.startsWith(`${dropped[0]}.`),
        )
        return { $project: { [dropped[0]!]: 0 } }
      }
    }
    const kept = random.many(1, 3, () => this.#field()).filter(({ path }) => path !== '_id')
    const tops = new Set<string>()
    const included = kept.filter(({ path }) => {
      const top = path.split('.')[0]!
      return tops.has(top) ? false : tops.add(top)
    })
    const before = this.#fields
    this.#fields = [...before.filter(({ path }) => path === '_id'), ...included]
    const held = this.#fields
    this.#fields = before
    const computed = Object.entries(this.#computed(0, 2)).filter(([name]) => !tops.has(name.split('.')[0]!))
    this.#fields = [...held, ...computed.map(([path]): KnownField => ({ path, kind: 'any' }))]
    const specification = Object.fromEntries([...included.map(({ path }) => [path, 1] as const), ...computed])
    return { $project: Object.keys(specification).length === 0 ? { _id: 1 } : specification }
  }

  #unset(): object {
    const { path } = this.#field()
    if (path === '_id') return { $unset: 'nothing' }
    this.#fields = this.#fields.filter(field => field.path !== path && !field.path.startsWith(`${path}.`))
    return { $unset: path }
  }

  #accumulator(): readonly [object, Kind] {
    const random = this.#random
    const number = () => (random.oneIn(2) ? `$${this.#field('number').path}` : this.#expressions.of('number', 1))
    const any = () => `$${this.#field().path}`
    const steady: (() => readonly [object, Kind])[] = [
      () => [{ $sum: 1 }, 'number'],
      () => [{ $sum: number() }, 'number'],
      () => [{ $avg: number() }, 'number'],
      () => [{ [random.pick(['$min', '$max'])]: any() }, 'any'],
      () => [{ [random.pick(['$min', '$max'])]: number() }, 'number'],
      () => [{ $count: {} }, 'number'],
      () => [{ [random.pick(['$stdDevPop', '$stdDevSamp'])]: number() }, 'number'],
      () => [{ $percentile: { input: number(), p: [random.pick([0.5, 0.9, 0, 1])], method: 'approximate' } }, 'list'],
      () => [{ $median: { input: number(), method: 'approximate' } }, 'number'],
      () => [{ [random.pick(['$maxN', '$minN'])]: { input: number(), n: random.int(1, 3) } }, 'list'],
      () => [
        {
          [random.pick(['$topN', '$bottomN'])]: {
            n: random.int(1, 2),
            sortBy: { _id: random.pick([1, -1]) },
            output: '$_id',
          },
        },
        'list',
      ],
      () => [{ [random.pick(['$top', '$bottom'])]: { sortBy: { _id: 1 }, output: any() } }, 'any'],
    ]
    const inOrder: (() => readonly [object, Kind])[] = [
      () => [{ [random.pick(['$first', '$last'])]: any() }, 'any'],
      () => [{ $push: any() }, 'list'],
      () => [{ $push: { a: any(), b: any() } }, 'list'],
      () => [{ [random.pick(['$firstN', '$lastN'])]: { input: any(), n: random.int(1, 3) } }, 'list'],
      () => [{ $mergeObjects: random.pick(['$trust', '$session_metadata', '$outcome_lift']) }, 'doc'],
    ]
    const usable = this.#unique ? steady : steady.slice(0, -2)
    return random.pick(this.#ordered && !random.oneIn(2) ? inOrder : usable)()
  }

  #outputs(low: number): { readonly specification: object; readonly fields: readonly KnownField[] } {
    const names = ['n', 'm', 'r'].slice(0, this.#random.int(low, 3))
    const drawn = names.map(name => ({ name, accumulator: this.#accumulator() }))
    return {
      specification: Object.fromEntries(drawn.map(({ name, accumulator: [one] }) => [name, one])),
      fields: drawn.map(({ name, accumulator: [, kind] }) => ({ path: name, kind })),
    }
  }

  /** An array as _id sorts by one of its elements, as that element does: such keys make no total order. */
  #grouped(kind: Kind, fields: readonly KnownField[], unique: boolean, ordered: boolean): void {
    this.#fields = [{ path: '_id', kind }, ...fields]
    this.#unique = unique
    this.#ordered = ordered
  }

  #group(): object {
    const random = this.#random
    const kind = random.pick(['string', 'number', 'date', 'bool', 'any', 'list', 'doc'] as const)
    const scalar = random.pick(['string', 'number', 'date', 'bool'] as const)
    const [id, unique, ordered] = random.pick<() => readonly [unknown, boolean, boolean]>([
      () => [`$${this.#field(kind).path}`, false, false],
      () => {
        const has = this.#fields.some(field => field.kind === scalar)
        return [`$${this.#field(scalar).path}`, has, has]
      },
      () => [this.#expressions.of(kind, 2), false, false],
      () => [{ a: `$${this.#field().path}`, b: this.#expressions.any(1) }, true, false],
      () => [null, true, true],
    ])()
    const { specification, fields } = this.#outputs(0)
    this.#grouped(kind, fields, unique, ordered)
    return { $group: { _id: id, ...specification } }
  }

  #sortByCount(): object {
    const { path, kind } = this.#field()
    const isScalar = kind !== 'any' && kind !== 'list' && kind !== 'doc'
    this.#grouped(kind, [{ path: 'count', kind: 'number' }], kind !== 'any' && kind !== 'list', isScalar)
    return { $sortByCount: `$${path}` }
  }

  #bucket(): object {
    const random = this.#random
    const [groupBy, boundaries] = random.pick<() => readonly [unknown, readonly unknown[]]>([
      () => [
        `$${this.#field('number').path}`,
        random.pick([
          [0, 2, 5],
          [-10, 0, 0.5, 100],
        ]),
      ],
      () => [this.#expressions.of('number', 1), [0, 2, 5]],
      () => [`$${this.#field('string').path}`, ['', 'a', 'b', 'z']],
      () => [
        `$${this.#field('date').path}`,
        [{ $date: '2000-01-01' }, { $date: '2026-03-01' }, { $date: '2026-04-01' }],
      ],
      () => [`$${this.#field('any').path}`, [0, 5]],
    ])()
    const { specification, fields } = this.#outputs(1)
    this.#grouped('any', fields, true, true)
    if (random.oneIn(4)) return { $bucketAuto: { groupBy, buckets: random.int(1, 4) } }
    return {
      $bucket: {
        groupBy,
        boundaries,
        ...(random.oneIn(5)
          ? {}
          : {
              default: random.pick<unknown>(['~', -1000, null, { $date: '2100-01-01' }, { $numberDouble: '-1' }, true]),
            }),
        output: specification,
      },
    }
  }

  #keys(): Record<string, 1 | -1> {
    const random = this.#random
    const entries = random.many(1, 2, () => [this.#field().path, random.pick([1, -1])] as const)
    const total = this.#unique ? [['_id', random.pick([1, -1])] as const] : []
    const tops = new Set<string>()
    const distinct = [...entries.filter(([path]) => path !== '_id'), ...total].filter(
      ([path]) => !tops.has(path) && tops.add(path),
    )
    return Object.fromEntries(distinct) as Record<string, 1 | -1>
  }

  #sort(): object {
    const keys = this.#keys()
    if (Object.keys(keys).length === 0) return { $match: {} }
    this.#ordered ||= this.#unique
    return { $sort: keys }
  }

  #cut(): object {
    return this.#random.oneIn(2) ? { $limit: this.#random.int(1, 4) } : { $skip: this.#random.int(0, 2) }
  }

  #unwind(): object {
    const random = this.#random
    const { path } = this.#random.oneIn(5) ? this.#field() : this.#field('list')
    this.#unique = false
    const includeArrayIndex = random.oneIn(3) ? { includeArrayIndex: random.pick(['i', 'at.i']) } : {}
    const preserve = random.oneIn(2) ? { preserveNullAndEmptyArrays: true } : {}
    if (path !== '_id') this.#set(path, 'any')
    return { $unwind: { path: `$${path}`, ...includeArrayIndex, ...preserve } }
  }

  #count(): object {
    this.#fields = [{ path: 'n', kind: 'number' }]
    this.#unique = false
    this.#ordered = true
    return { $count: 'n' }
  }

  #replace(): object {
    const random = this.#random
    const written = Object.fromEntries(
      random.many(1, 3, () => [random.pick(['a', 'b', 'c']), this.#expressions.any(2)]),
    )
    const root = random.pick<() => unknown>([
      () => written,
      () => `$${this.#field('doc').path}`,
      () => '$$ROOT',
      () => this.#expressions.of('doc', 2),
    ])()
    this.#fields = ['a', 'b', 'c'].map(path => ({ path, kind: 'any' }))
    this.#unique = false
    return random.oneIn(2) ? { $replaceWith: root } : { $replaceRoot: { newRoot: root } }
  }

  #facet(): object {
    const inner = () => {
      const sub = new RandomPipeline(this.#random.int(0, 2 ** 30))
      sub.#fields = this.#fields
      sub.#unique = this.#unique
      sub.#ordered = this.#ordered
      sub.#inFacet = true
      const stages = sub.stages(2)
      // The documents of a facet are one array: in an order only where they are in one.
      return sub.#ordered ? stages : [...stages, { $count: 'n' }]
    }
    const specification = { a: inner(), b: inner() }
    this.#fields = [
      { path: 'a', kind: 'list' },
      { path: 'b', kind: 'list' },
    ]
    this.#unique = false
    this.#ordered = true
    return { $facet: specification }
  }

  #fill(): object {
    const random = this.#random
    const { path } = this.#field(random.pick(['number', 'string']))
    if (path === '_id' || !this.#unique) return { $fill: { output: { nothing: { value: 1 } } } }
    if (random.oneIn(2)) return { $fill: { output: { [path]: { value: this.#expressions.of('number', 1) } } } }
    this.#ordered = true
    if (random.oneIn(2)) {
      const by = this.#field(random.pick(['date', 'number'])).path
      return { $fill: { sortBy: { [by]: 1 }, output: { [this.#field('number').path]: { method: 'linear' } } } }
    }
    return { $fill: { sortBy: { _id: 1 }, output: { [path]: { method: 'locf' } } } }
  }

  #windows(): object {
    const random = this.#random
    const sortBy = this.#keys()
    const frame = () =>
      random.oneIn(3)
        ? {}
        : {
            window: {
              documents: random.pick<unknown>([
                ['unbounded', 'current'],
                [-1, 1],
                ['current', 'unbounded'],
                ['unbounded', 'unbounded'],
                [1, 2],
                [-3, -1],
              ]),
            },
          }
    const any = () => `$${this.#field().path}`
    const call = random.pick<() => object>([
      () => ({ $sum: `$${this.#field('number').path}`, ...frame() }),
      () => ({ $avg: `$${this.#field('number').path}`, ...frame() }),
      () => ({ [random.pick(['$min', '$max', '$push', '$first', '$last'])]: any(), ...frame() }),
      () => ({ $count: {}, ...frame() }),
      () => ({ $documentNumber: {} }),
      () => ({ $shift: { output: any(), by: random.int(-2, 2), default: random.pick([null, 0, 'x']) } }),
      () => ({ $locf: any() }),
      () => ({ $expMovingAvg: { input: `$${this.#field('number').path}`, N: 2 } }),
      () => ({ [random.pick(['$stdDevPop', '$stdDevSamp'])]: `$${this.#field('number').path}`, ...frame() }),
      () => ({ $median: { input: `$${this.#field('number').path}`, method: 'approximate' }, ...frame() }),
      () => ({ $covariancePop: [`$${this.#field('number').path}`, `$${this.#field('number').path}`], ...frame() }),
      () => ({ [random.pick(['$firstN', '$lastN', '$minN', '$maxN'])]: { input: any(), n: 2 }, ...frame() }),
      () => ({ $top: { sortBy: { _id: -1 }, output: any() }, ...frame() }),
    ])()
    if (random.oneIn(4)) return this.#range()
    const name = random.pick(['x', 'y', 'w.v'])
    const partition = random.oneIn(2)
      ? { partitionBy: `$${this.#field(random.pick(['string', 'any', 'number'])).path}` }
      : {}
    this.#set(name, 'any')
    const ranked = random.oneIn(4) ? { rank: { [random.pick(['$rank', '$denseRank'])]: {} } } : {}
    const by = Object.keys(ranked).length > 0 ? { [this.#field().path]: random.pick([1, -1]) } : sortBy
    if (Object.keys(ranked).length > 0) return { $setWindowFields: { ...partition, sortBy: by, output: ranked } }
    if ('$documentNumber' in call)
      return { $setWindowFields: { ...partition, sortBy: this.#numberedBy(), output: { [name]: call } } }
    this.#ordered ||= this.#unique
    return { $setWindowFields: { ...partition, sortBy, output: { [name]: call } } }
  }

  /** One key, under which documents may be equal where they are in an order. */
  #numberedBy(): object {
    const path = this.#ordered ? this.#field().path : '_id'
    return { [path]: this.#random.pick([1, -1]) }
  }

  /** A window by values: without an order only what does not depend on that of equal ones. */
  #range(): object {
    const random = this.#random
    const isDate = random.oneIn(2)
    const by = this.#field(isDate ? 'date' : 'number').path
    const bounds = random.pick<unknown>([
      ['unbounded', 0],
      [-1, 1],
      [-7, 0],
      [-40, -1],
      [1, 3],
      [0, 'unbounded'],
      ...(this.#ordered
        ? [
            ['unbounded', 'current'],
            ['current', 'unbounded'],
            ['current', 'current'],
            [-7, 'current'],
            [0, 'current'],
            ['current', 1],
          ]
        : []),
      ...(isDate ? [] : [[-0.5, 0.25]]),
    ])
    const unit = random.pick(['year', 'quarter', 'month', 'week', 'day', 'hour', 'millisecond'])
    const window = { range: bounds, ...(isDate ? { unit } : {}) }
    const number = `$${this.#field('number').path}`
    const call = random.pick<object>([
      { $sum: number, window },
      { $avg: number, window },
      { $min: number, window },
      { $max: `$${this.#field().path}`, window },
      { $count: {}, window },
      {
        $derivative: {
          input: random.oneIn(2) ? number : { $ifNull: [number, 1] },
          ...(isDate ? { unit: random.pick(['day', 'millisecond']) } : {}),
        },
        window: {
          documents: random.pick<unknown>([
            [-1, 0],
            ['unbounded', 'current'],
            [-2, 1],
            [-3, -1],
          ]),
        },
      },
      ...(isDate ? [{ $integral: { input: number, unit: 'hour' }, window }] : []),
      { $linearFill: number },
    ])
    const partition = random.oneIn(2) ? { partitionBy: `$${this.#field('string').path}` } : {}
    this.#set('x', 'any')
    this.#ordered = false
    return { $setWindowFields: { ...partition, sortBy: { [by]: 1 }, output: { x: call } } }
  }

  /** Sets come in no order: they are put in one. */
  #gatheredSets(): object[] {
    const group = { $group: { _id: `$${this.#field('string').path}`, r: { $addToSet: `$${this.#field().path}` } } }
    this.#grouped('string', [{ path: 'r', kind: 'list' }], true, true)
    return [group, { $set: { r: { $sortArray: { input: '$r', sortBy: 1 } } } }]
  }

  #densify(): object {
    const random = this.#random
    const isDate = random.oneIn(2)
    this.#unique = false
    const field = this.#field(isDate ? 'date' : 'number').path
    const step = isDate ? { step: 3, unit: random.pick(['year', 'quarter']) } : { step: random.pick([1, 0.5, 20]) }
    const bounds = isDate ? 'full' : random.pick<unknown>(['full', [0, 4]])
    return { $densify: { field, range: { ...step, bounds } } }
  }
}

/** A pipeline of up to so many stages over calls, as the seed decides. */
export function randomPipeline(seed: number, most: number): readonly object[] {
  return orderedPipeline(seed, most).pipeline
}

/** The same, with whether its documents come in one order only. */
export function orderedPipeline(
  seed: number,
  most: number,
): { readonly pipeline: readonly object[]; readonly ordered: boolean } {
  const drawn = new RandomPipeline(seed)
  const pipeline = drawn.stages(most)
  return { pipeline, ordered: drawn.ordered }
}
