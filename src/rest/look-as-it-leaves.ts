import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PIECE_BYTES, piecesOf } from '../base/pieces-of.js'
import { streamThrough } from '../base/stream-through.js'

/** By request: throws where who asked may not have the answer any more. */
export type LeavingChecks = WeakMap<FastifyRequest, () => void>

/**
 * Looks at every piece of an answer that goes on, or is large, as it leaves, behind whatever makes another of it: what is compressed waits for
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
        const pieces = checks.has(request) ? inPieces(request, reply, payload) : undefined
        done(null, pieces === undefined ? payload : look(request, reply, pieces))
      },
    ].flat()
  })
}

/** What goes on, and what is whole and large: of that too more may be told than its reader takes at once. */
function inPieces({ method }: FastifyRequest, reply: FastifyReply, payload: unknown): Readable | undefined {
  if (isPieces(payload)) return payload
  if (method === 'HEAD' || !Buffer.isBuffer(payload) || payload.byteLength <= PIECE_BYTES) return undefined
  reply.header('content-length', payload.byteLength)
  return Readable.from(piecesOf(payload))
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
  const checked = async function* (all: AsyncIterable<string | Buffer>) {
    for await (const piece of all) {
      check()
      yield piece
    }
  }
  return streamThrough(pieces, checked, { objectMode: false })
}
