import type { FieldType } from '../../../calls/field-type.js'

/** A structure as `json_transform` takes it. */
export type JsonStructure = string | readonly [JsonStructure] | { readonly [field: string]: JsonStructure }

/**
 * What `json_transform` reads a field's JSON as. Dates are read with their time zone: read as a TIMESTAMP the engine
 * drops the offset (`12:00+02:00` became 12:00); the cast to the column then brings them to UTC.
 */
export function jsonStructure(type: FieldType): JsonStructure {
  switch (type.kind) {
    case 'string':
      return 'VARCHAR'
    case 'double':
      return 'DOUBLE'
    case 'int':
      return 'INTEGER'
    case 'bool':
      return 'BOOLEAN'
    case 'date':
      return 'TIMESTAMPTZ'
    case 'open':
      return 'JSON'
    case 'list':
      return [jsonStructure(type.of)]
    case 'struct':
      return Object.fromEntries([...type.fields].map(([name, field]) => [name, jsonStructure(field)]))
  }
}
