import { objectOf, putField } from '../../base/fields.js'
import { ExpressionError } from '../expressions/expression-error.js'
import { type Document, type Value, double, integer, isInt } from '../value.js'
import { alternative } from './opaque.js'
import type { Column } from './relation.js'
import type { SqlType } from './types.js'

const TIMESTAMP = /^(\d+)-(\d\d)-(\d\d)(?: \(BC\))? (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/

/**
 * A date from the text the engine writes of a timestamp, such as `2026-03-01 12:00:00.5`; years of any number of digits,
 * and before the year 1 counted back from 1 BC.
 */
export function readTimestamp(text: string): Date {
  const found = TIMESTAMP.exec(text)
  if (found === null) throw new TypeError('The engine wrote a timestamp in another form')
  const [, year, month, day, hour, minute, second, fraction = ''] = found
  const date = new Date(0)
  date.setUTCFullYear(text.includes('(BC)') ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)))
  return date
}

type Decode = (value: unknown) => Value

/** A JSON text of the store, with its numbers as doubles would be kept. */
function openValue(text: unknown): Value {
  return typeof text === 'string' ? (JSON.parse(text) as Value) : null
}

/** How the values that JSON has no form for come: as the client gives them, or inside the text of a JSON value. */
interface Leaves {
  readonly open: Decode
  readonly date: Decode
}

const CLIENT: Leaves = { open: openValue, date: value => value as Date }

/** Inside a text everything has been read already, and dates are as the engine writes them. */
const TEXT: Leaves = { open: value => value as Value, date: value => readTimestamp(value as string) }

function decodeFor(type: SqlType, leaves: Leaves): Decode {
  switch (type.kind) {
    case 'nothing':
      return () => null
    case 'open':
      return leaves.open
    case 'date':
      return leaves.date
    case 'int':
      return value => {
        // The client gives what fits 32 bits as a number.
        if (typeof value === 'number' && type.long !== true && isInt(value)) return value
        const long = typeof value === 'bigint' ? value : BigInt(value as number)
        // A sum of longs may leave 64 bits: then it is a double (rule "sums of whole numbers").
        if (type.bits > 63 && BigInt.asIntN(64, long) !== long) return double(Number(long))
        return type.long === true ? long : integer(long)
      }
    case 'double':
      return value => double(value as number)
    case 'list': {
      const element = decodeFor(type.of, leaves)
      return value => (value as readonly unknown[]).map(item => (item === null ? null : element(item)))
    }
    case 'struct': {
      const fields = [...type.fields].map(([name, field]) => ({
        name,
        absent: field.absent,
        decode: decodeFor(field, leaves),
      }))
      return value => {
        const document: Record<string, Value> = {}
        for (const { name, absent, decode } of fields) {
          const inner = (value as Readonly<Record<string, unknown>>)[name]
          if (inner !== null && inner !== undefined) putField(document, name, decode(inner))
          // What is never absent is null all the same where it is a JSON value.
          else if (absent === 'null' || absent === 'never') putField(document, name, null)
        }
        return document
      }
    }
    case 'varied': {
      const decoders = type.of.map((one, place) => [alternative(place), decodeFor(one, leaves)] as const)
      return value => {
        const held = value as Readonly<Record<string, unknown>>
        for (const [name, decode] of decoders) {
          const inner = held[name]
          if (inner !== null && inner !== undefined) return decode(inner)
        }
        return null
      }
    }
    case 'merged': {
      const decoders = type.of.map((one, place) => [alternative(place), decodeFor(one, leaves)] as const)
      return value => {
        const held = value as Readonly<Record<string, unknown>>
        const merged: Record<string, Value> = {}
        for (const [name, decode] of decoders) {
          const inner = held[name]
          if (inner === null || inner === undefined) continue
          for (const [field, one] of Object.entries(decode(inner) as Document)) putField(merged, field, one)
        }
        return merged
      }
    }
    case 'pairs': {
      const decode = decodeFor(type.of, leaves)
      return value =>
        objectOf(
          (value as readonly { readonly k: string; readonly v: unknown }[]).map(({ k, v }): [string, Value] => [
            k,
            v === null ? null : decode(v),
          ]),
        )
    }
    default:
      return value => value as Value
  }
}

/** An integer of a mixed number. */
const wholeValue = (value: number): Value => integer(BigInt(value))

/** A column of a statement's result, as plain data. */
interface RowColumn {
  readonly name: string
  readonly type: SqlType
  /** The value is followed by whether it is an integer. */
  readonly isInt: boolean
  /** The value is followed by whether its absence means null. */
  readonly isNull: boolean
  /** The value comes as the text of its JSON. */
  readonly text: boolean
  /** The value is the whole document. */
  readonly root: boolean
}

/** How the rows of a statement become documents: plain data, so that another thread can decode them. */
export interface RowShape {
  readonly columns: readonly RowColumn[]
  /** A row begins with the sentence of a failure and whether it is a document at all. */
  readonly checked: boolean
}

/** The shape of the rows that `selection` in compile.ts selects. */
export function rowShape(columns: readonly Column[], checked: boolean): RowShape {
  return {
    columns: columns.map(({ name, type, isInt, isNull, text, root }) => ({
      name,
      type,
      isInt: isInt !== undefined,
      isNull: isNull !== undefined,
      text: text === true,
      root: root === true,
    })),
    checked,
  }
}

/** Throws the failure that a row of a checked statement begins with. */
export function throwFailure([sentence]: readonly unknown[]): void {
  if (typeof sentence === 'string') throw ExpressionError.of(sentence)
}

/** Makes documents of rows: a NULL is left out or null, as the column's type says. Throws the failure a row tells. */
export function decoder({ columns, checked }: RowShape): (row: readonly unknown[]) => Document | undefined {
  const decoders = columns.map(column => {
    const decode = decodeFor(column.type, column.text ? TEXT : CLIENT)
    return { ...column, decode: column.text ? (text: unknown) => decode(JSON.parse(text as string)) : decode }
  })
  return row => {
    let place = 0
    if (checked) {
      throwFailure(row)
      if (row[1] === null) return undefined
      place = 2
    }
    const document: Record<string, Value> = {}
    for (const { name, type, decode, isInt, isNull, root } of decoders) {
      const value = row[place]
      place += 1
      // What only the row tells follows the value: see selection in compile.ts.
      const whole = isInt && row[place] === true
      if (isInt) place += 1
      if (root) return decode(value) as Document
      const isNullHere = isNull ? row[place] === true : type.absent === 'null'
      if (isNull) place += 1
      if (value !== null && value !== undefined)
        putField(document, name, whole ? wholeValue(value as number) : decode(value))
      else if (isNullHere) putField(document, name, null)
    }
    return document
  }
}
