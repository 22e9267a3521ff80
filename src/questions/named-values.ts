import type { Catalogs } from '../calls/catalogs.js'

/** Values a caller filters by that are names of something: only what is spelled exactly is found. */
export interface NamedValues {
  readonly agent_name?: string | undefined
  readonly driver?: string | undefined
  readonly signal_key?: string | undefined
  readonly guide_key?: string | undefined
}

interface Held {
  readonly argument: keyof NamedValues
  /** The field of a call that has the values. */
  readonly field: string
  /** The catalog that knows such names beside those of calls. */
  readonly catalog?: keyof Catalogs
}

const HELD: readonly Held[] = [
  { argument: 'agent_name', field: 'agent_name' },
  { argument: 'driver', field: 'interaction_driver' },
  { argument: 'signal_key', field: 'present_signals', catalog: 'signals' },
  { argument: 'guide_key', field: 'guidance_keys', catalog: 'guidance' },
]

/** Each value that was given, with where calls hold it. */
export function heldValues(values: NamedValues): readonly (Held & { readonly value: string })[] {
  return HELD.flatMap(held => {
    const value = values[held.argument]
    return value === undefined ? [] : [{ ...held, value }]
  })
}

/** The conditions that the values given make. */
export function namedConditions(values: NamedValues): readonly object[] {
  return heldValues(values).map(({ field, value }) => ({ [field]: { $eq: value } }))
}
