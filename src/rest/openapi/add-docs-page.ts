import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../operations/operation.js'
import { DOCS_POLICY, docsPage } from './docs-page.js'

/** Serves the documentation of some routes at /docs. */
export function addDocsPage(app: FastifyInstance, routes: readonly Operation[]): void {
  // A twentieth of what a start takes, for a page that few open.
  let page: string | undefined
  app.get('/docs', (_request, reply) => {
    reply.header('content-security-policy', DOCS_POLICY)
    return reply.type('text/html; charset=utf-8').send((page ??= docsPage(routes)))
  })
}
