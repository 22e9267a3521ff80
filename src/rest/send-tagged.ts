import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Sends an answer with an ETag, or 304 to a client that holds it already. It is called with the finished answer, so
 * whoever may not see a record learns nothing of its tag. The tag is a weak one: answers may be compressed on the way.
 */
export async function sendTagged(request: FastifyRequest, reply: FastifyReply, answer: object): Promise<FastifyReply> {
  const body = JSON.stringify(answer)
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`
  // Kept by the client alone, and asked about every time.
  reply.headers({ etag: `W/${tag}`, 'cache-control': 'private, no-cache', vary: 'authorization, x-project-id' })
  if (holds(request.headers['if-none-match'], tag)) return await reply.status(304).send()
  return await reply.type('application/json; charset=utf-8').send(body)
}

function holds(header: string | undefined, tag: string): boolean {
  const tags = new Set((header ?? '').split(',').map(one => one.trim().replace(/^W\//, '')))
  return tags.has(tag) || tags.has('*')
}
