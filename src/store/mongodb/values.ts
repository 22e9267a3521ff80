import { mapFields } from '../../base/fields.js'
import { type Document as BsonDocument, deserialize, Double as BsonDouble, Int32, Long } from 'bson'
import { type Document, Double, type Value, double, isArray, isDocument, isInt } from '../../pipeline/index.js'

/** A value of a pipeline in the types of BSON. */
export function toBson(value: Value): unknown {
  if (value instanceof Double) return new BsonDouble(value.value)
  if (typeof value === 'bigint') return Long.fromBigInt(value)
  if (typeof value === 'number') return isInt(value) ? new Int32(value) : new BsonDouble(value)
  if (isArray(value)) return value.map(toBson)
  if (isDocument(value)) return mapFields(value, toBson)
  return value
}

function fromBson(value: unknown): Value {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || value instanceof Date) return value
  if (value instanceof Int32) return value.value
  if (value instanceof BsonDouble) return double(value.value)
  if (value instanceof Long) return value.toBigInt()
  if (Array.isArray(value)) return value.map(fromBson)
  if (typeof value === 'object' && !('_bsontype' in value)) {
    return mapFields(value as Record<string, unknown>, fromBson)
  }
  throw new TypeError('The store gave back a value of a type that no call has')
}

/** The document that bytes of BSON are, each value as the type it is stored as. */
export const readStored = (bytes: Uint8Array): BsonDocument => deserialize(bytes, { promoteValues: false })

/** The document that bytes of BSON are, each number as the type it has. */
export const readBson = (bytes: Uint8Array): Document => fromBson(readStored(bytes)) as Document

/** The same of a call, whose id comes first: where a server puts a field that is computed is its own affair. */
export function readCallBson(bytes: Uint8Array): Document {
  const document = readBson(bytes)
  const { _id: id } = document
  return id === undefined ? document : { _id: id, ...document }
}
