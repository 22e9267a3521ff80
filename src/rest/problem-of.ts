import { Problem } from '../base/problem.js'
import type { ApiServerSettings } from './api-server-parts.js'

/** Fastify's own refusals, in our words; any other error stays what it is. @param limits of the request's route */
export function problemOf(
  error: unknown,
  limits: { readonly bodyBytes: number } & Pick<ApiServerSettings, 'maxPathParameter'>,
): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  switch ('code' in error ? error.code : undefined) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('too_large', `The body is larger than the limit of ${limits.bodyBytes} bytes`)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_media_type', 'The body must be JSON: send Content-Type: application/json')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('invalid_input', 'The body is not as long as Content-Length says')
    case 'FST_ERR_BAD_URL':
      return new Problem('invalid_input', 'The path is not valid percent-encoded UTF-8')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Problem(
        'too_large',
        `A path parameter is longer than the limit of ${limits.maxPathParameter} characters`,
      )
    default:
      // What is left with a status of a client's error is a body that broke off.
      return isClientError(error) ? new Problem('invalid_input', 'The request could not be read') : error
  }
}

function isClientError(error: Error): boolean {
  if (!('statusCode' in error) || typeof error.statusCode !== 'number') return false
  return error.statusCode >= 400 && error.statusCode < 500
}
