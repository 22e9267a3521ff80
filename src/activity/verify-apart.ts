import { entryFile } from '../base/entry-file.js'
import { runInOwnThread } from '../base/worker-threads.js'
import { verifyInWorker } from './verify-in-worker.js'
import type { TrailVerification, VerifyOptions } from './verify-trail.js'

/** Verifies the trail without keeping this thread from others: a gigabyte takes many seconds. */
export function verifyApart(options: VerifyOptions, signal: AbortSignal): Promise<TrailVerification> {
  const thread = { filename: entryFile(import.meta.url, './verify-in-worker.js'), name: verifyInWorker.name }
  return runInOwnThread<VerifyOptions, TrailVerification>(thread, options, { signal })
}
