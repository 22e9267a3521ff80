import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'

/** A field of a record, and whether whoever reads the record is shown it. */
interface Field<T extends z.ZodType = z.ZodType, Shown extends boolean = boolean> {
  readonly schema: T
  readonly shown: Shown
}

export const shown = <T extends z.ZodType>(schema: T): Field<T, true> => ({ schema, shown: true })

/** A field that never leaves the service: a hash, a sealed secret, a number of ours. */
export const hidden = <T extends z.ZodType>(schema: T): Field<T, false> => ({ schema, shown: false })

type Fields = Readonly<Record<string, Field>>
type StoredShape<F extends Fields> = { [K in keyof F]: F[K]['schema'] }
type ViewShape<F extends Fields> = {
  [K in keyof F as F[K]['shown'] extends true ? K : never]: F[K]['schema']
}

/**
 * A kind of record, its fields said once: the schema that a store reads it with, the one that answers show it by, and the
 * types of both. Each field has to be `shown` or `hidden`, so nobody sees a new one before that was decided.
 */
export function record<const F extends Fields>(fields: F) {
  const shapeOf = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, fields[name]?.schema]))
  const names = Object.keys(fields)
  const seen = names.filter(name => fields[name]?.shown === true)
  const stored = z.strictObject(shapeOf(names) as StoredShape<F>)
  const view = z.strictObject(shapeOf(seen) as ViewShape<F>)
  return {
    stored,
    view,
    /** What of a record is shown, in the order of the fields. */
    show: (kept: Immutable<z.output<typeof stored>>): Immutable<z.output<typeof view>> => {
      const values: Readonly<Record<string, unknown>> = kept
      return Object.fromEntries(
        seen.flatMap(name => (values[name] === undefined ? [] : [[name, values[name]]])),
      ) as never
    },
  }
}
