import { type Document, type Value, double } from '../value.js'
import type { Column } from './relation.js'
import type { SqlType } from './types.js'

type Decode = (value: unknown) => Value

/** A JSON text of the store, with its numbers as doubles would be kept. */
function openValue(text: unknown): Value {
  return typeof text === 'string' ? (JSON.parse(text) as Value) : null
}

function decodeFor(type: SqlType): Decode {
  switch (type.kind) {
    case 'nothing':
      return () => null
    case 'open':
      return openValue
    case 'int':
      return value => {
        const long = typeof value === 'bigint' ? value : BigInt(value as number)
        return Number.isSafeInteger(Number(long)) ? Number(long) : long
      }
    case 'double':
      return value => double(value as number)
    case 'list': {
      const element = decodeFor(type.of)
      return value => (value as readonly unknown[]).map(item => (item === null ? null : element(item)))
    }
    case 'struct': {
      const fields = [...type.fields].map(([name, field]) => ({ name, absent: field.absent, decode: decodeFor(field) }))
      return value => {
        const out: [string, Value][] = []
        for (const { name, absent, decode } of fields) {
          const inner = (value as Readonly<Record<string, unknown>>)[name]
          if (inner !== null && inner !== undefined) out.push([name, decode(inner)])
          else if (absent === 'null') out.push([name, null])
        }
        return Object.fromEntries(out)
      }
    }
    default:
      return value => value as Value
  }
}

/** Makes documents of rows: a NULL is left out or null, as the column's type says. */
export function decoder(columns: readonly Column[]): (row: readonly unknown[]) => Document {
  const decoders = columns.map(column => ({ ...column, decode: decodeFor(column.type) }))
  return row => {
    const out: [string, Value][] = []
    for (const [i, { name, type, decode }] of decoders.entries()) {
      const value = row[i]
      if (value !== null && value !== undefined) out.push([name, decode(value)])
      else if (type.absent === 'null') out.push([name, null])
    }
    return Object.fromEntries(out)
  }
}
