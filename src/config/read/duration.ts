import type { z } from 'zod'
import { formatDuration } from './format-duration.js'
import { quantity } from './quantity.js'

const UNITS = { ms: 1, s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3 }

/** A length of time in milliseconds. The unit is required: a bare 30 would be read as seconds by one and ms by another. */
export function duration(min: number, max: number): z.ZodType<number, string> {
  return quantity({
    units: UNITS,
    min,
    max,
    kind: 'a length of time such as 500ms, 10s, 30m or 24h',
    show: formatDuration,
  })
}
