/** In words how far a call's outcome lift is from none. */
export type LiftBand = 'strong_positive' | 'positive' | 'neutral' | 'negative' | 'strong_negative'

/** @param lift p_behavioral - p_context, -1…1 */
export function liftBand(lift: number): LiftBand {
  if (lift >= 0.3) return 'strong_positive'
  if (lift >= 0.1) return 'positive'
  if (lift > -0.1) return 'neutral'
  return lift > -0.3 ? 'negative' : 'strong_negative'
}
