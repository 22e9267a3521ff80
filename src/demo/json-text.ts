/** `.01` … `.99` as JSON writes them, `` for 0. */
const FRACTIONS = Array.from({ length: 100 }, (_, value) => (value === 0 ? '' : String(value / 100).slice(1)))

// oxlint-disable-next-line no-control-regex
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

/**
 * A number of hundredths as JSON. Turn times and confidences are most of a record's numbers, and writing doubles was
 * half of the time a record took.
 */
export function hundredthsJson(hundredths: number): string {
  return `${Math.floor(hundredths / 100)}${FRACTIONS[hundredths % 100]}`
}

/** A text as JSON; those made of phrases hardly ever hold what needs an escape. */
export function textJson(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}
