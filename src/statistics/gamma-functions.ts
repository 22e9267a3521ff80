/** From here on the asymptotic series are exact to the last digits. */
const SERIES_FROM = 12

/** The logarithmic derivative of the gamma function, of x > 0 (Abramowitz and Stegun, 6.3.5 and 6.3.18). */
export function digamma(x: number): number {
  let at = x
  let sum = 0
  for (; at < SERIES_FROM; at += 1) sum -= 1 / at
  const f = 1 / (at * at)
  const series = f * (1 / 12 - f * (1 / 120 - f * (1 / 252 - f * (1 / 240 - f * (1 / 132 - (f * 691) / 32_760)))))
  return sum + Math.log(at) - 1 / (2 * at) - series
}

/** The derivative of digamma, of x > 0 (Abramowitz and Stegun, 6.4.6 and 6.4.12). */
export function trigamma(x: number): number {
  let at = x
  let sum = 0
  for (; at < SERIES_FROM; at += 1) sum += 1 / (at * at)
  const f = 1 / (at * at)
  const series = f * (1 / 6 - f * (1 / 30 - f * (1 / 42 - f * (1 / 30 - f * (5 / 66 - (f * 691) / 2_730)))))
  return sum + 1 / at + f / 2 + series / at
}

/** Newton's method for a convex function: each step doubles the digits. */
const MOST_STEPS = 50
const CLOSE = 1e-12

/**
 * The x > 0 of which trigamma is a value, by Newton's method on 1 / trigamma, which is convex and nearly straight (Smyth,
 * 2004, appendix). Below 1e-7 and above 1e7 by the leading terms.
 */
export function inverseTrigamma(value: number): number {
  if (value > 1e7) return 1 / Math.sqrt(value)
  if (value < 1e-7) return 1 / value
  let x = 0.5 + 1 / value
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const here = trigamma(x)
    const move = (here * (1 - here / value)) / tetragamma(x)
    x += move
    if (Math.abs(move) / x < CLOSE) break
  }
  return x
}

/** The derivative of trigamma, of x > 0 (Abramowitz and Stegun, 6.4.6 and 6.4.13). */
function tetragamma(x: number): number {
  let at = x
  let sum = 0
  for (; at < SERIES_FROM; at += 1) sum -= 2 / (at * at * at)
  const f = 1 / (at * at)
  const series = f * (1 / 2 - f * (1 / 6 - f * (1 / 6 - f * (3 / 10 - f * (5 / 6 - (f * 691) / 210)))))
  return sum - f - f / at - f * f * series
}
