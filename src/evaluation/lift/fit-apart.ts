import { entryFile } from '../../base/entry-file.js'
import { workerThreads } from '../../base/worker-threads.js'
import { fitLiftInWorker } from './fit-lift-in-worker.js'
import type { LiftFit, LiftGroups } from './lift-groups.js'

/** Fits outcome lift without keeping this thread from others: a million calls take many seconds. The groups are gone then. */
export async function fitApart(groups: LiftGroups, signal?: AbortSignal): Promise<LiftFit> {
  const pool = workerThreads<LiftGroups, LiftFit>({
    filename: entryFile(import.meta.url, './fit-lift-in-worker.js'),
    name: fitLiftInWorker.name,
    minThreads: 1,
    maxThreads: 1,
  })
  try {
    const { context, agent, states, calls, positives } = groups
    const transferList = [context, agent, states, calls, positives].map(({ buffer }) => buffer)
    return await pool.run(groups, { transferList, ...(signal && { signal }) })
  } finally {
    await pool.destroy()
  }
}
