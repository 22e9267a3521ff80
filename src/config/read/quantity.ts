import type { z } from 'zod'
import { echo } from '../../base/text.js'
import { reader } from './reader.js'

interface Quantity {
  /** Factor of each unit; the unit may only be left out when '' is among them. */
  readonly units: Readonly<Record<string, number>>
  readonly min: number
  readonly max: number
  /** Completes "is 'x', not …". */
  readonly kind: string
  readonly show: (value: number) => string
}

/** A number with a unit, as a whole number of the smallest unit. */
export function quantity({ units, min, max, kind, show }: Quantity): z.ZodType<number, string> {
  const shape = new RegExp(`^(\\d{1,15}(?:\\.\\d{1,6})?)\\s*(${Object.keys(units).join('|')})$`)
  return reader(text => {
    const [, digits, unit] = shape.exec(text) ?? []
    if (digits === undefined) return { wrong: `is ${echo(text)}, not ${kind}` }
    const value = Math.round(Number(digits) * (units[unit ?? ''] ?? 1))
    if (value < min || value > max) return { wrong: `is ${echo(text)}, not between ${show(min)} and ${show(max)}` }
    return { value }
  })
}
