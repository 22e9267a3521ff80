import { type TrailVerification, type VerifyOptions, verifyTrail } from './verify-trail.js'

/** What a worker thread runs. */
export async function verifyInWorker(options: VerifyOptions): Promise<TrailVerification> {
  return await verifyTrail(options)
}
