import type { FastifyInstance } from 'fastify'
import type { Route } from '../route.js'
import { DOCS_POLICY, docsPage } from './docs-page.js'

/** Serves the documentation of some routes at /docs. */
export function addDocsPage(app: FastifyInstance, routes: readonly Route[]): void {
  const page = docsPage(routes)
  app.get('/docs', (_request, reply) => {
    reply.header('content-security-policy', DOCS_POLICY)
    return reply.type('text/html; charset=utf-8').send(page)
  })
}
