import { transferableSymbol, valueSymbol } from 'piscina'
import type { Threads, ThreadWork } from '../../src/admission/threads.js'
import { tenantWork } from '../../src/service/tenant-work.js'

/** What a service's threads do, done in this one: for tests that are not about where it is done. */
export const threadsHere: Threads = {
  run: async <Task, Result>({ name }: ThreadWork<Task, Result>, task: Task) => {
    return received(await tenantWork({ name, task: structuredClone(task) })) as Result
  },
}

/** As it comes out of a thread: what changes hands is not copied. */
function received(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !(transferableSymbol in result)) return structuredClone(result)
  return (result as unknown as Readonly<Record<symbol, unknown>>)[valueSymbol]
}
