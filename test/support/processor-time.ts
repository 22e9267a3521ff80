/**
 * Time of the processor that work takes, in milliseconds: what other processes take of it meanwhile does not count. For work in
 * this process alone; its other threads count too.
 */
export function processorMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
