/** Scores count as positive from here (interface.md, section 1). */
export const POSITIVE_SCORE = 3.5
