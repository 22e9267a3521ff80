import { expect, test } from 'vitest'
import { providerFault } from '../../src/oauth/provider-fault.js'

test.each([
  ['no connection', new TypeError('fetch failed'), 'unanswered'],
  ['no answer in time', { code: 'OAUTH_TIMEOUT' }, 'unanswered'],
  ['an answer that is none', { code: 'OAUTH_RESPONSE_IS_NOT_CONFORM', cause: {} }, 'unanswered'],
  ['an error of its own', { code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'server_error', status: 500 }, 'unanswered'],
  ['another secret', { code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'invalid_client', status: 401 }, 'our credentials'],
  [
    'another secret, said in a header',
    { code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE', status: 401, cause: [{ scheme: 'basic', parameters: {} }] },
    'our credentials',
  ],
  ['a code of somebody else', { code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'invalid_grant', status: 400 }, undefined],
  ['a token of somebody else', { code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED', cause: { claim: 'nonce' } }, undefined],
  ['a wrong argument', Object.assign(new TypeError('bad'), { code: 'ERR_INVALID_ARG_VALUE' }), undefined],
])('%s is whose fault it is', (_name, error, fault) => {
  expect(providerFault(error)).toBe(fault)
})
