import type { CutLimits } from './formats/format.js'

/** Said of a record over the limit, which is passed over without being held in memory. */
export function recordTooLong(limits: CutLimits): string {
  return `is longer than the limit of ${Math.round((limits.recordBytes / 1024 / 1024) * 100) / 100} MiB for one record`
}
