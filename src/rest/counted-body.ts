import { Transform, type TransformCallback } from 'node:stream'
import type { Share } from '../admission/shares.js'

/** A body that does not say how long it is, which takes room as it comes. */
export class CountedBody extends Transform {
  readonly #share: Share
  /** Fastify compares it with the limit. */
  receivedEncodedLength = 0

  constructor(share: Share) {
    super()
    this.#share = share
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.receivedEncodedLength += chunk.byteLength
    try {
      this.#share.more(chunk.byteLength)
      done(null, chunk)
    } catch (error) {
      done(error as Error)
    }
  }
}
