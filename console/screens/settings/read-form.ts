import { linesOf } from '../../look/lines-of.js'
import type { Field } from './forms.js'

/** A field of JSON that is none, with what is said of it there. */
export class BadJson extends Error {
  readonly field: Field

  constructor(field: Field, why: string) {
    super(why)
    this.field = field
  }
}

export type Values = Readonly<Record<string, unknown>>

/** The fields as the operation takes them; of what is empty nothing, and so the service's default. @throws BadJson */
export function readForm(fields: readonly Field[], data: FormData): Values {
  return Object.fromEntries(
    fields.flatMap(field => {
      const value = valueOf(field, data)
      return value === undefined ? [] : [[field.name, value]]
    }),
  )
}

function valueOf(field: Field, data: FormData): unknown {
  const { name, kind } = field
  if (kind === 'flag') return data.has(name)
  if (kind === 'many') return data.getAll(name)
  const given = data.get(name)
  const text = typeof given === 'string' ? given.trim() : ''
  if (text === '') return undefined
  switch (kind) {
    case 'lines':
      return linesOf(text)
    case 'number':
      return Number(text)
    case 'moment':
      return new Date(text).toISOString()
    case 'json':
      try {
        return JSON.parse(text) as unknown
      } catch (error) {
        throw new BadJson(field, error instanceof Error ? error.message : '')
      }
    case 'text':
    case 'one':
      return text
  }
}
