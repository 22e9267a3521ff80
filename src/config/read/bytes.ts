import type { z } from 'zod'
import { formatBytes } from './format-bytes.js'
import { quantity } from './quantity.js'

const UNITS = { '': 1, B: 1, kB: 1e3, KiB: 1024, MB: 1e6, MiB: 1024 ** 2, GB: 1e9, GiB: 1024 ** 3 }

/** A size in bytes. */
export function bytes(min: number, max: number): z.ZodType<number, string> {
  return quantity({ units: UNITS, min, max, kind: 'a size such as 65536, 64KiB or 1GiB', show: formatBytes })
}
