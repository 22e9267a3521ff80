import { z } from 'zod'
import type { Immutable } from '../base/immutable.js'

/** What is masked; the mask keeps the kind, such as `[card]`. */
export const maskKinds = [
  'card',
  'phone',
  'email',
  'ssn',
  'iban',
  // What only the question before says that it is.
  'cvv',
  'expiry',
  'pin',
  'account',
  'routing',
  'dob',
  'mrn',
  'passport',
  'licence',
  // As far as a dialogue tells them.
  'name',
  'address',
] as const

export type MaskKind = (typeof maskKinds)[number]

/** What an import masks: nothing, every kind, or these. */
export const masking = z.union([z.boolean(), z.array(z.enum(maskKinds)).min(1)])
export type Masking = Immutable<z.output<typeof masking>>

/** The kinds as what masks them takes them: undefined is all. */
export function onlyKinds(kinds: Exclude<Masking, false>): ReadonlySet<MaskKind> | undefined {
  return kinds === true ? undefined : new Set(kinds)
}

/** How many places were masked, by kind. */
export type MaskCounts = Record<MaskKind, number>

/** A place in a text that is to be masked: from `start` up to `end`, UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly kind: MaskKind
}

/** Adds counts to others. */
export function addMasks(to: MaskCounts, more: MaskCounts): void {
  for (const kind of maskKinds) to[kind] += more[kind]
}

export function noMasks(): MaskCounts {
  return Object.fromEntries(maskKinds.map(kind => [kind, 0])) as MaskCounts
}
