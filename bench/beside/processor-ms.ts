import { readFileSync } from 'node:fs'

/** Milliseconds of processor that the first thread of another process took until now, as Linux counts them in nanoseconds. */
export function processorMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}
