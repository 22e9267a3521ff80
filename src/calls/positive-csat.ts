/** Predicted satisfaction counts as positive from here. */
export const POSITIVE_CSAT = 4
