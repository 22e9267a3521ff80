import type { Operation } from '../../operations/operation.js'
import { errorComponents } from './error-responses.js'
import { describeOperation, templated } from './describe-operation.js'

const DESCRIPTION = `Calls go in, questions about them are answered. Every answer is narrowed to what the credential may hear.

Times are ISO 8601 in UTC; days and weeks are cut in the project's time zone. Values that are unknown are left out. Lists take \`limit\` and \`cursor\` and give \`next_cursor\` while there is more.`

const LICENSE = { name: 'Apache License 2.0', identifier: 'Apache-2.0' }

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly license: object
  }
  readonly servers: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: object
}

/**
 * The API as OpenAPI 3.1, generated from the schemas that check its requests and answers.
 * @param publicUrl where clients reach it; by default wherever they read this
 */
export function openApiDocument(routes: readonly Operation[], version: string, publicUrl = '/'): OpenApiDocument {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = (paths[templated(route.url)] ??= {})
    path[route.method.toLowerCase()] = describeOperation(route)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Earshot', version, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      ...errorComponents,
      securitySchemes: {
        applicationKey: { type: 'http', scheme: 'bearer', description: 'An application key, esk_…' },
        adminToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An admin token' },
      },
    },
  }
}
