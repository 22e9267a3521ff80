import type { Exclusion } from '../tree.js'
import type { Column } from './relation.js'
import type { Absent, SqlType } from './types.js'

/** What NULL can still mean where missing, or null, or both are excluded. */
function present(absent: Absent, { missing, null: isNull }: Exclusion): Absent {
  if (absent === 'missing') return missing ? 'never' : 'missing'
  if (absent === 'null') return isNull ? 'never' : 'null'
  if (absent === 'either' && missing && isNull) return 'never'
  return absent
}

function presentType(type: SqlType, exclusion: Exclusion, step: number): SqlType {
  const part = exclusion.path[step]
  if (part === undefined) return { ...type, absent: present(type.absent, exclusion) }
  // What a path goes through is there itself where the value at its end is; of a list that is all one knows.
  const through = { ...type, absent: present(type.absent, { ...exclusion, null: exclusion.missing }) }
  if (through.kind !== 'struct' || through.absent !== 'never') return through
  const field = through.fields.get(part)
  if (field === undefined) return through
  return { ...through, fields: new Map([...through.fields, [part, presentType(field, exclusion, step + 1)]]) }
}

/** Columns of which a filter has excluded that a value is missing, or null: their types say so from there on. */
export function presentColumns(columns: readonly Column[], exclusion: Exclusion): readonly Column[] {
  return columns.map(column => {
    const { type } = column
    if (column.name !== exclusion.path[0] || type.kind === 'open' || type.kind === 'nothing') return column
    const { isNull, ...rest } = column
    const known = presentType(type, exclusion, 1)
    return known.absent === 'either' && isNull !== undefined
      ? { ...rest, isNull, type: known }
      : { ...rest, type: known }
  })
}
