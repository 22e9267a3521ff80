import type { FieldType } from '../../calls/field-type.js'

/** A name as SQL quotes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The type of the column a field is kept in. Dates are TIMESTAMPs in UTC. */
export function columnType(type: FieldType): string {
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
      return 'TIMESTAMP'
    case 'open':
      return 'JSON'
    case 'list':
      return `${columnType(type.of)}[]`
    case 'struct':
      return `STRUCT(${[...type.fields].map(([name, field]) => `${quoted(name)} ${columnType(field)}`).join(', ')})`
  }
}
