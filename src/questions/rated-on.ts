/** Scores of the whole call; every other key is a quality dimension's. */
export const WHOLE_CALL: ReadonlySet<string> = new Set(['score', 'predicted_csat'])

/** The filter for the calls behind a mean score, by the key that detect_changes names it with. */
export function ratedOn(key: string): object {
  return WHOLE_CALL.has(key) ? { [key]: { $ne: null } } : { 'scores.key': { $eq: key } }
}
