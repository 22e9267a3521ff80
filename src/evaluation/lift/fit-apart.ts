import { entryFile } from '../../base/entry-file.js'
import { runInOwnThread } from '../../base/worker-threads.js'
import { fitLiftInWorker } from './fit-lift-in-worker.js'
import type { LiftFit, LiftGroups } from './lift-groups.js'

/** Fits outcome lift without keeping this thread from others: a million calls take many seconds. The groups are gone then. */
export function fitApart(groups: LiftGroups, signal?: AbortSignal): Promise<LiftFit> {
  const thread = { filename: entryFile(import.meta.url, './fit-lift-in-worker.js'), name: fitLiftInWorker.name }
  const { context, agent, states, calls, positives } = groups
  const transferList = [context, agent, states, calls, positives].map(({ buffer }) => buffer)
  return runInOwnThread<LiftGroups, LiftFit>(thread, groups, { transferList, ...(signal && { signal }) })
}
