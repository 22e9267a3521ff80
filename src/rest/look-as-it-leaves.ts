import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** By request: throws where who asked may not have the answer any more. */
export type LeavingChecks = WeakMap<FastifyRequest, () => void>

/**
 * Looks at every piece of an answer that goes on as it leaves, behind whatever makes another of it: what is compressed waits for
 * that, and then for its reader. To be called when the plugins that do so are registered, and before there are routes.
 */
export function lookAsItLeaves(app: FastifyInstance, checks: LeavingChecks): void {
  const look = (request: FastifyRequest, reply: FastifyReply, pieces: Readable): Readable => {
    return checkedPieces(pieces, () => {
      try {
        checks.get(request)?.()
      } catch (error) {
        // Where nothing has left yet the refusal does, which is looked at no more and is not compressed as that was.
        checks.delete(request)
        if (!reply.raw.headersSent) reply.removeHeader('content-encoding').raw.removeHeader('content-encoding')
        throw error
      }
    })
  }
  app.addHook('onRoute', route => {
    route.onSend = [
      route.onSend ?? [],
      (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: (_: null, payload: unknown) => void) => {
        done(null, checks.has(request) && isPieces(payload) ? look(request, reply, payload) : payload)
      },
    ].flat()
  })
}

/** Streams of compressors are of a library's own kind. */
function isPieces(payload: unknown): payload is Readable {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload
}

/**
 * The pieces of an answer that goes on, each as long as its reader may have it: what they may hear may be changed while they read.
 * @param check throws when they may not any more: then it breaks off
 */
export function checkedPieces(pieces: Readable, check: () => void): Readable {
  const checked = async function* () {
    for await (const piece of pieces as AsyncIterable<string | Buffer>) {
      check()
      yield piece
    }
  }
  // Also where it is never begun to be read.
  return Readable.from(checked(), { objectMode: false }).once('close', () => pieces.destroy())
}
