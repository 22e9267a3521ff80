import { adviseField } from '../advise-field.js'
import { ExpressionError } from '../expressions/expression-error.js'
import { besideDate, readLiteral, toLiteral } from '../extended-json.js'
import { readPath } from '../evaluate-expression.js'
import { compareValues, valueKey } from '../order.js'
import { type ParseContext, at, typeAt } from '../parse-context.js'
import { type FieldPath, collides, parsePath } from '../path.js'
import { Refusal } from '../refusal.js'
import { type Document, type Value, double, isDocument, isInt, isNumeric, toNumber } from '../value.js'
import { addUnits } from '../expressions/date/add-units.js'
import { UTC_MS, type Unit } from '../expressions/date/units.js'
import { allOf, rootsOf } from '../fields-read.js'
import { parseUnit } from '../windows/window-frame.js'
import { type Densify, LEAST_MILLIS, MOST_ADDED, TOO_MANY } from './densify-spec.js'
import { densifySql } from './densify-sql.js'
import { readOptions } from './read-options.js'
import { setPath } from './set-path.js'
import { sortDocuments } from './sort.js'
import type { StageDefinition } from './stage-definition.js'

const NO_UNIT = 'needs numbers in its field, or a unit where it holds dates'

function parseBounds(json: unknown, unit: Unit | undefined, isDate: boolean, context: ParseContext): Densify['bounds'] {
  if (json === 'full' || json === 'partition') return json
  if (!Array.isArray(json) || json.length !== 2) {
    throw new Refusal(context.where, 'is "full", "partition" or an array of two ascending numbers or dates')
  }
  const [low, high] = json.map((item: unknown, i): Value => {
    const bound = readLiteral(item, at(context, i).where)
    return isDate ? besideDate(bound) : bound
  }) as [Value, Value]
  const isFit = unit === undefined ? isNumeric : (value: Value) => value instanceof Date
  if (!isFit(low) || !isFit(high)) {
    throw new Refusal(
      context.where,
      unit === undefined
        ? 'are numbers when there is no unit'
        : 'are dates when there is a unit, such as {"$date": "2026-03-01"}',
    )
  }
  if (compareValues(low, high) >= 0) throw new Refusal(context.where, 'the first bound lies below the second')
  return [low, high]
}

function parseDensify(json: unknown, context: ParseContext): Densify {
  const options = readOptions(json, '$densify', ['field', 'partitionByFields', 'range'], context)
  const fieldPlace = at(context, 'field')
  if (typeof options.field !== 'string') throw new Refusal(fieldPlace.where, 'is a field name without "$"')
  const field = parsePath(options.field, fieldPlace.where)
  adviseField(field, fieldPlace)
  const rangePlace = at(context, 'range')
  const range = readOptions(options.range, 'range', ['step', 'unit', 'bounds'], rangePlace)
  const unit = range.unit === undefined ? undefined : parseUnit(range.unit, at(rangePlace, 'unit'))
  const isDate = typeAt(context.shape, field)?.kind === 'date'
  if (isDate && unit === undefined) throw new Refusal(rangePlace.where, `${NO_UNIT}, such as "unit": "day"`)
  const stepValue = readLiteral(range.step ?? null, at(rangePlace, 'step').where)
  const step = isNumeric(stepValue) ? toNumber(stepValue) : Number.NaN
  if (!(step > 0) || !Number.isFinite(step) || (unit !== undefined && !Number.isInteger(step))) {
    throw new Refusal(at(rangePlace, 'step').where, `is a ${unit === undefined ? '' : 'whole '}number above 0`)
  }
  const given: unknown = options.partitionByFields ?? []
  const place = at(context, 'partitionByFields')
  if (!Array.isArray(given)) throw new Refusal(place.where, 'is an array of field names')
  const partitions = given.map((name: unknown, i) => {
    const inner = at(place, i)
    if (typeof name !== 'string') throw new Refusal(inner.where, 'is a field name')
    const path = parsePath(name, inner.where)
    if (collides(path, field)) throw new Refusal(inner.where, 'is the field that is densified')
    return path
  })
  const bounds = parseBounds(range.bounds, unit, isDate, at(rangePlace, 'bounds'))
  if (bounds === 'partition' && partitions.length === 0) {
    throw new Refusal(at(rangePlace, 'bounds').where, '"partition" needs partitionByFields')
  }
  return { field, partitions, step, unit, bounds }
}

/** The value of the field as a place on the scale; `undefined` for a document that has none. */
function scaleValue(document: Document, { field, unit }: Densify): Value | undefined {
  const value = readPath(document, field)
  if (value === undefined || value === null) return undefined
  if (unit === undefined ? isNumeric(value) : value instanceof Date) return value
  throw new ExpressionError('$densify', unit === undefined ? NO_UNIT : 'with a unit needs dates in its field')
}

/** How many values lie between two, at most: counted without making them. */
function countBetween(low: Value, high: Value, { step, unit }: Densify): number {
  if (low instanceof Date && high instanceof Date) {
    const millis = (unit && (UTC_MS[unit] ?? LEAST_MILLIS[unit])) ?? 1
    return Math.ceil((high.getTime() - low.getTime()) / (millis * step)) + 1
  }
  return Math.ceil((toNumber(high as number) - toNumber(low as number)) / step) + 1
}

const isWhole = (value: Value, step: number) => isInt(value) && isInt(step)

/** The value a step further on; `undefined` where that leaves the dates there are. */
function next(value: Value, { step, unit }: Densify): Value | undefined {
  if (value instanceof Date) {
    const date = addUnits(value, unit ?? 'millisecond', step, 'UTC')
    return Number.isNaN(date.getTime()) ? undefined : date
  }
  if (typeof value === 'bigint' && Number.isInteger(step)) return value + BigInt(step)
  const sum = toNumber(value as number) + step
  return isWhole(value, step) ? sum : double(sum)
}

/** The values of a scale from low to high: high itself only when `inclusive`. */
function scale(low: Value, high: Value, inclusive: boolean, spec: Densify): readonly Value[] {
  const values: Value[] = []
  for (let value = low; ;) {
    const order = compareValues(value, high)
    if (order > 0 || (order === 0 && !inclusive)) return values
    values.push(value)
    if (order === 0) return values
    const following = next(value, spec)
    if (following === undefined) return values
    // Beside a number so large a step may be lost: high would never be reached.
    if (compareValues(following, value) <= 0) throw tooMany()
    value = following
  }
}

const tooMany = () => new ExpressionError('$densify', TOO_MANY)

interface Part {
  readonly fields: Document
  readonly values: readonly Value[]
}

/** The documents by the values of the partition's fields, those without the densified field left out. */
function parts(documents: readonly Document[], spec: Densify): readonly Part[] {
  const found = new Map<string, { readonly fields: Document; readonly values: Value[] }>()
  for (const document of documents) {
    const value = scaleValue(document, spec)
    if (value === undefined) continue
    const fields = spec.partitions.reduce<Document>((out, path) => {
      const part = readPath(document, path)
      return part === undefined ? out : setPath(out, path, part)
    }, {})
    const key = valueKey(fields)
    const part = found.get(key)
    if (part === undefined) found.set(key, { fields, values: [value] })
    else part.values.push(value)
  }
  return [...found.values()]
}

const least = (values: readonly Value[]) => values.reduce((a, b) => (compareValues(b, a) < 0 ? b : a))
const greatest = (values: readonly Value[]) => values.reduce((a, b) => (compareValues(b, a) > 0 ? b : a))

function densified(documents: readonly Document[], spec: Densify): readonly Document[] {
  const { bounds, field } = spec
  let all = parts(documents, spec)
  // Bounds of one's own fill even nothing; without partitions there is always one.
  if (typeof bounds !== 'string' && all.length === 0 && spec.partitions.length === 0) all = [{ fields: {}, values: [] }]
  const everything = bounds === 'full' ? all.flatMap(part => part.values) : []
  const ranges = all.map(({ values }): readonly [Value, Value] => {
    if (typeof bounds !== 'string') return bounds
    const among = bounds === 'full' ? everything : values
    return [least(among), greatest(among)]
  })
  const count = ranges.reduce((sum, [low, high]) => sum + countBetween(low, high, spec), 0)
  if (!(count <= MOST_ADDED)) throw tooMany()
  const added = all.flatMap(({ fields, values }, i) => {
    const there = new Set(values.map(valueKey))
    const [low, high] = ranges[i]!
    return scale(low, high, bounds === 'full', spec)
      .filter(value => !there.has(valueKey(value)))
      .map(value => place(fields, field, value))
  })
  const order = [...spec.partitions, field].map(path => ({ path, descending: false }))
  return sortDocuments([...documents, ...added], order)
}

function place(fields: Document, path: FieldPath, value: Value): Document {
  let inner: Value | undefined = fields
  for (const part of path.slice(0, -1)) {
    inner = isDocument(inner) ? inner[part] : undefined
    if (inner !== undefined && !isDocument(inner)) {
      throw new ExpressionError('$densify', 'can not put its field inside a value that is no document')
    }
  }
  return setPath(fields, path, value)
}

/** Adds the documents that are missing on a scale of numbers or dates. */
export const densify: StageDefinition = {
  name: '$densify',
  doc: {
    form: '{ $densify: { field: <field>, partitionByFields: [<field>, …], range: { step: <number>, unit: <time unit>, bounds: "full" | "partition" | [<low>, <high>] } } }',
    meaning: `Adds documents for the values that are missing on a scale: from the least to the greatest value of all documents (full) or of each partition, or from low (included) to high (excluded). Added documents hold the field and those of the partition. At most ${MOST_ADDED} are added.`,
    example: {
      documents: [
        { hour: 1, calls: 5 },
        { hour: 4, calls: 2 },
      ],
      pipeline: [{ $densify: { field: 'hour', range: { step: 1, bounds: 'full' } } }],
      result: [{ hour: 1, calls: 5 }, { hour: 2 }, { hour: 3 }, { hour: 4, calls: 2 }],
    },
  },
  parse: (json, context) => {
    const spec = parseDensify(json, context)
    const { field, partitions, step, unit, bounds } = spec
    return {
      stage: {
        name: '$densify',
        run: documents => densified(documents, spec),
        compile: (relation, compile) => densifySql(spec, relation, compile),
        reads: wanted => allOf(wanted, rootsOf([...partitions, field])),
        toJson: () => ({
          $densify: {
            field: field.join('.'),
            ...(partitions.length === 0 ? {} : { partitionByFields: partitions.map(path => path.join('.')) }),
            range: {
              step,
              ...(unit === undefined ? {} : { unit }),
              bounds: typeof bounds === 'string' ? bounds : bounds.map(toLiteral),
            },
          },
        }),
      },
      shape: context.shape,
    }
  },
}
