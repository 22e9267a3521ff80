import type { ApiServerParts } from './api-server-parts.js'
import { type Route, route, TextAnswer } from './route.js'

/** The metrics, for Prometheus. */
export function metricsRoutes({ metrics }: Pick<ApiServerParts, 'metrics'>): readonly Route[] {
  return [
    route({
      method: 'GET',
      url: '/metrics',
      access: 'metrics',
      handle: async () => new TextAnswer(metrics.contentType, await metrics.text()),
    }),
  ]
}
