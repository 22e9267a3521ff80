import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import rangeParser from 'range-parser'
import type { FileAnswer } from '../operations/operation.js'

const UNSATISFIABLE = -1

/**
 * Sends a file, or the part of it that is asked for (RFC 9110: one range of bytes; of several, the whole). It is for whoever asked
 * alone, and kept by nobody.
 * @param signal aborts when it is no longer wanted: then it breaks off
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: FileAnswer,
  signal: AbortSignal,
): Promise<FastifyReply> {
  const { file, bytes, type, tag, name } = answer
  if (signal.aborted) await file.close()
  signal.throwIfAborted()
  reply.type(type).headers({
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    etag: tag,
    ...(name !== undefined && { 'content-disposition': `attachment; filename="${name}"` }),
  })
  const part = rangeOf(request, answer)
  if (part === UNSATISFIABLE || request.method === 'HEAD' || bytes === 0) await file.close()
  if (part === UNSATISFIABLE) return await reply.status(416).header('content-range', `bytes */${bytes}`).send()
  const { start, end } = part ?? { start: 0, end: bytes - 1 }
  reply.header('content-length', end + 1 - start)
  if (part !== undefined) reply.status(206).header('content-range', `bytes ${start}-${end}/${bytes}`)
  // An empty stream keeps the length that the headers say.
  if (request.method === 'HEAD' || bytes === 0) return await reply.send(Readable.from([]))
  answer.sent(end + 1 - start)
  return await reply.send(file.createReadStream({ start, end, signal }))
}

/** The one range that is asked for of this very content; undefined: all of it. */
function rangeOf({ headers, method }: FastifyRequest, { bytes, tag }: FileAnswer) {
  const { range, 'if-range': known } = headers
  if (range === undefined || method !== 'GET' || (known !== undefined && known !== tag)) return undefined
  const found = rangeParser(bytes, range)
  if (found === UNSATISFIABLE) return UNSATISFIABLE
  return Array.isArray(found) && found.type === 'bytes' && found.length === 1 ? found[0] : undefined
}
