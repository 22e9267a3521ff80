import { type Readable, Transform, type TransformCallback } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Share } from '../admission/shares.js'

/** A body that does not say how long it is, which takes room as it comes. */
class CountedBody extends Transform {
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

/** The body of a request for which room was taken by what it says it has (`takeBody`): counted where it says nothing. */
export function countedBody({ headers }: FastifyRequest, payload: Readable, share: Share | undefined): Readable {
  return share === undefined || headers['content-length'] !== undefined ? payload : payload.pipe(new CountedBody(share))
}
