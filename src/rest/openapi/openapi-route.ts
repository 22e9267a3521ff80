import { type Route, route } from '../route.js'
import { openApiDocument } from './openapi-document.js'

/** The description of all the other routes, open to anyone: it holds no data. */
export function openApiRoute(routes: readonly Route[], version: string): Route {
  const document = openApiDocument(routes, version)
  return route({
    method: 'GET',
    url: '/openapi.json',
    access: 'open',
    summary: 'Describe this API',
    handle: () => document,
  })
}
