import type { Field } from './forms.js'
import type { Values } from './read-form.js'

/** Fields that show what is there. */
export function filledFields(fields: readonly Field[], row: Values): readonly Field[] {
  return fields.map(field => {
    const value = row[field.name]
    return value === undefined ? field : { ...field, initial: initialOf(field, value) }
  })
}

function initialOf({ kind }: Field, value: unknown): NonNullable<Field['initial']> {
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) {
    const all = value.map(String)
    return kind === 'many' ? all : all.join('\n')
  }
  if (kind === 'moment') return localMinute(new Date(String(value)))
  return kind === 'json' ? JSON.stringify(value) : String(value)
}

/** As a field of a date and a time takes it, in this computer's time zone: 2026-03-01T09:00. */
function localMinute(at: Date): string {
  const MINUTE_MS = 60_000
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

/** What is to be other than it was; of what was emptied that there is none: an empty list where one may be, else null. */
export function changedFields(fields: readonly Field[], after: Values, before: Values): Values {
  return Object.fromEntries(
    fields.flatMap(({ name, clears }) => {
      const emptied = before[name] === undefined ? undefined : clears === true ? [] : null
      const value = after[name] ?? emptied
      return value === undefined || JSON.stringify(value) === JSON.stringify(before[name]) ? [] : [[name, value]]
    }),
  )
}

/** What a form holds that nobody has touched. */
export function untouched(fields: readonly Field[]): FormData {
  const data = new FormData()
  for (const { name, kind, initial } of fields) {
    if (kind === 'flag') {
      if (initial === true) data.set(name, 'on')
    } else if (typeof initial === 'object') for (const one of initial) data.append(name, one)
    else if (typeof initial === 'string') data.set(name, initial)
  }
  return data
}
