import { type Route, route } from '../route.js'
import type { OpenApiDocument } from './openapi-document.js'

/** The description of all the other routes, open to anyone: it holds no data. */
export function openApiRoute(document: OpenApiDocument): Route {
  return route({
    method: 'GET',
    url: '/openapi.json',
    access: 'open',
    summary: 'Describe this API',
    handle: () => document,
  })
}
