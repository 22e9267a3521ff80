import { z } from 'zod'

const score = (what: string) => z.number().min(1).max(5).optional().meta({ description: what })

/** The bounds of a score, as arguments. */
export const scoreBounds = {
  min_score: score('Lowest score, 1–5, included'),
  max_score: score('Highest score, 1–5, included'),
}

interface Bounds {
  readonly min_score?: number | undefined
  readonly max_score?: number | undefined
}

/** Whether the bounds are in order; for a refinement with `CROSSED` as its fault. */
export const inOrder = ({ min_score: low, max_score: high }: Bounds) =>
  low === undefined || high === undefined || low <= high

export const CROSSED = { error: 'must not be above "max_score"', path: ['min_score'] }

/** The conditions that the bounds make; calls without a score meet none. */
export function scoreConditions({ min_score: low, max_score: high }: Bounds): readonly object[] {
  return [
    ...(low === undefined ? [] : [{ score: { $gte: low } }]),
    ...(high === undefined ? [] : [{ score: { $lte: high } }]),
  ]
}
