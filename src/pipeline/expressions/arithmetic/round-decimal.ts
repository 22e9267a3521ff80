/** A finite double as the exact fraction it is: numerator and the power of two beneath it. */
function fraction(value: number): readonly [numerator: bigint, twos: bigint] {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const exponent = Number((bits >> 52n) & 0x7ffn)
  const mantissa = (bits & 0xfffffffffffffn) | (exponent === 0 ? 0n : 1n << 52n)
  const power = (exponent === 0 ? 1 : exponent) - 1075
  const signed = value < 0 ? -mantissa : mantissa
  return power >= 0 ? [signed << BigInt(power), 0n] : [signed, BigInt(-power)]
}

/** The quotient as a whole number: cut, or rounded with halves to even. */
export function divideWhole(numerator: bigint, denominator: bigint, mode: 'round' | 'trunc'): bigint {
  const quotient = numerator / denominator
  if (mode === 'trunc') return quotient
  const rest = numerator - quotient * denominator
  const twice = 2n * (rest < 0n ? -rest : rest)
  const up = twice > denominator || (twice === denominator && quotient % 2n !== 0n)
  return up ? quotient + (numerator < 0n ? -1n : 1n) : quotient
}

/**
 * A double rounded at a decimal place (2 = hundredths, -2 = hundreds), judged by its exact value: 1.115 is a little
 * less than it looks and rounds to 1.11, as in MongoDB.
 */
export function roundDecimal(value: number, place: number, mode: 'round' | 'trunc'): number {
  if (!Number.isFinite(value)) return value
  if (place >= 0 && Number.isInteger(value)) return value
  const [numerator, twos] = fraction(value)
  const scale = 10n ** BigInt(Math.abs(place))
  const whole =
    place >= 0 ? divideWhole(numerator * scale, 1n << twos, mode) : divideWhole(numerator, (1n << twos) * scale, mode)
  const rounded = Number(`${whole}e${-place}`)
  return rounded === 0 && (value < 0 || Object.is(value, -0)) ? -0 : rounded
}
