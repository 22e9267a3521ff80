import { operation, type Operation } from '../../operations/operation.js'
import type { OpenApiDocument } from './openapi-document.js'

/** The description of all the other routes, open to anyone: it holds no data. @param describe is asked when somebody wants it */
export function openApiOperation(describe: () => OpenApiDocument): Operation {
  return operation({
    method: 'GET',
    url: '/openapi.json',
    access: 'open',
    summary: 'Describe this API',
    run: describe,
  })
}
