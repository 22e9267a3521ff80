import { isJSONRPCNotification, isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The messages of a body: one, or a batch's. */
export function messagesOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body]
}

/** The ids of the requests in a body. */
export function requestIds(body: unknown): RequestId[] {
  return messagesOf(body)
    .filter(message => isJSONRPCRequest(message))
    .map(message => message.id)
}

const cancellation = z.object({ requestId: z.union([z.string(), z.number()]) })

/** The ids of the requests that a body cancels. */
export function cancelledIds(body: unknown): RequestId[] {
  return messagesOf(body)
    .filter(message => isJSONRPCNotification(message))
    .filter(message => message.method === 'notifications/cancelled')
    .flatMap(message => {
      const params = cancellation.safeParse(message.params)
      return params.success ? [params.data.requestId] : []
    })
}
