import { readFileSync } from 'node:fs'

/** What /proc/PID/stat counts processor time in. */
const TICKS_PER_SECOND = 100

/** Seconds of processor that all threads of a process took until now. @throws Error when it has gone */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
