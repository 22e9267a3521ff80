import { entryFile } from '../base/entry-file.js'
import { workerThreads } from '../base/worker-threads.js'
import { verifyInWorker } from './verify-in-worker.js'
import type { TrailVerification, VerifyOptions } from './verify-trail.js'

/** Verifies the trail without keeping this thread from others: a gigabyte takes many seconds. */
export async function verifyApart(options: VerifyOptions, signal: AbortSignal): Promise<TrailVerification> {
  const pool = workerThreads<VerifyOptions, TrailVerification>({
    filename: entryFile(import.meta.url, './verify-in-worker.js'),
    name: verifyInWorker.name,
    minThreads: 1,
    maxThreads: 1,
  })
  try {
    return await pool.run(options, { signal })
  } finally {
    await pool.destroy()
  }
}
