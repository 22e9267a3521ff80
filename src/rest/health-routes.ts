import { z } from 'zod'
import { Problem } from '../base/problem.js'
import { sharedLook } from '../base/shared-look.js'
import type { ApiServerParts } from './api-server-parts.js'
import { type Route, route } from './route.js'

/** Longest wait for what stands behind the service, in milliseconds. */
const PATIENCE_MS = 2_000

const healthAnswer = z.strictObject({
  status: z.string().meta({ description: 'ok when the process is healthy' }),
  server: z.string(),
  tools: z.int().meta({ description: 'Registered tools' }),
  auth_cache_size: z.int().meta({ description: 'Keys in the in-memory cache' }),
})

/** Liveness and readiness: open to anyone, under any Host. */
export function healthRoutes({ health, ready }: Pick<ApiServerParts, 'health' | 'ready'>): readonly Route[] {
  const look = sharedLook(ready, PATIENCE_MS)
  return [
    route({
      method: 'GET',
      url: '/health',
      access: 'open',
      summary: 'Whether the process is alive',
      failures: [500],
      answer: healthAnswer,
      handle: () => health(),
    }),
    route({
      method: 'GET',
      url: '/ready',
      access: 'open',
      summary: 'Whether requests can be served',
      failures: [503],
      answer: z.strictObject({ status: z.literal('ready') }),
      handle: async () => {
        const reason = await look()
        if (reason === undefined) return { status: 'ready' }
        const { code, cause } = reason
        const why = cause === undefined ? code : `${code} (${cause})`
        throw new Problem('store_unavailable', `Not ready: ${why}`, { retryAfter: 5 })
      },
    }),
  ]
}
