import { isJSONRPCNotification, isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { isObject } from '../base/is-object.js'

/** The messages of a body: one, or a batch's. */
export function messagesOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body]
}

/** A request as nearly all are; see isPlainRequest. */
interface PlainRequest {
  readonly id: RequestId
  readonly method: string
}

const PLAIN = new Set(['jsonrpc', 'id', 'method', 'params'])

/**
 * Whether a body is one request without doubt: all of it is what JSON-RPC names, and `_meta` holds a progress token at
 * most, so that it claims no revision. The SDK parses a message anew for every question about it, and each costs as much
 * as reading the JSON did; of what is plain they need not be asked.
 */
export function isPlainRequest(body: unknown): body is PlainRequest {
  if (!isObject(body) || body['jsonrpc'] !== '2.0' || typeof body['method'] !== 'string') return false
  const { id, params } = body
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return false
  for (const name of Object.keys(body)) if (!PLAIN.has(name)) return false
  return params === undefined || (isObject(params) && isPlainMeta(params['_meta']))
}

function isPlainMeta(meta: unknown): boolean {
  if (meta === undefined) return true
  if (!isObject(meta)) return false
  const { progressToken: token, ...others } = meta
  if (Object.keys(others).length > 0) return false
  return token === undefined || typeof token === 'string' || Number.isSafeInteger(token)
}

/** The ids of the requests in a body. */
export function requestIds(body: unknown): RequestId[] {
  if (isPlainRequest(body)) return [body.id]
  return messagesOf(body)
    .filter(message => isJSONRPCRequest(message))
    .map(message => message.id)
}

const cancellation = z.object({ requestId: z.union([z.string(), z.number()]) })

/** The ids of the requests that a body cancels. */
export function cancelledIds(body: unknown): RequestId[] {
  if (isPlainRequest(body)) return []
  return messagesOf(body)
    .filter(message => isJSONRPCNotification(message))
    .filter(message => message.method === 'notifications/cancelled')
    .flatMap(message => {
      const params = cancellation.safeParse(message.params)
      return params.success ? [params.data.requestId] : []
    })
}
