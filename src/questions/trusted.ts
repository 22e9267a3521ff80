import { z } from 'zod'
import type { Asker } from './asker.js'

const LEVELS = ['low', 'medium', 'high'] as const
export type Trust = (typeof LEVELS)[number]

/** How far evaluations can be relied on, as arguments. */
export const minTrust = z.enum(LEVELS).optional().meta({
  description:
    'Only calls whose evaluation can be relied on so far at least; calls that say nothing of it are among them',
})
export const maxTrust = z
  .enum(LEVELS)
  .optional()
  .meta({ description: 'Only calls whose evaluation can be relied on so far at most: low ones are for review' })

/** Leaves levels of trust out. */
export interface TrustFilter {
  readonly 'trust.level'?: { readonly $nin: readonly Trust[] }
}

/** The condition that a lowest trust makes: a record that says nothing of it was evaluated elsewhere, and is believed. */
export function trustFilter(least: Trust | undefined): TrustFilter {
  const below = least === undefined ? [] : LEVELS.slice(0, LEVELS.indexOf(least))
  return below.length === 0 ? {} : { 'trust.level': { $nin: below } }
}

/** The conditions that a highest trust makes. */
export function doubtConditions(most: Trust | undefined): readonly object[] {
  return most === undefined ? [] : [{ 'trust.level': { $in: LEVELS.slice(0, LEVELS.indexOf(most) + 1) } }]
}

/** Where a caller does not say which calls figures are of, the project does. */
export function countedTrust({ project }: Asker, given: Trust | undefined): Trust | undefined {
  return given ?? (project.doubtful === 'left_out' ? 'medium' : undefined)
}
