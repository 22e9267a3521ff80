import type { ApiServerParts } from './api-server-parts.js'
import { operation, type Operation, TextAnswer } from '../operations/operation.js'

/** The metrics, for Prometheus. */
export function metricsOperation({ metrics }: Pick<ApiServerParts, 'metrics'>): Operation {
  return operation({
    method: 'GET',
    url: '/metrics',
    access: 'metrics',
    run: async () => new TextAnswer(metrics.contentType, await metrics.text()),
  })
}
