import { classifyInboundRequest, isInitializeRequest, isJSONRPCRequest } from '@modelcontextprotocol/server'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cancelledIds, isPlainRequest, requestIds } from '../../src/mcp/messages.js'
import { SESSION_REVISIONS } from '../../src/mcp/revisions.js'

const claim = 'io.modelcontextprotocol/protocolVersion'
const odd = fc.constantFrom(undefined, null, true, 1, 1.5, 2 ** 53, '', 'x', [], {}, { a: 1 })
const rare = fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: odd })
const id = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(1, 'a') }, { weight: 1, arbitrary: odd })
const meta = fc.oneof(
  odd,
  fc.record(
    { progressToken: odd, [claim]: fc.constantFrom('2026-07-28', '2025-06-18', 1), other: odd },
    { requiredKeys: [] },
  ),
)
const params = fc.oneof(
  odd,
  fc.record({ name: odd, arguments: odd, protocolVersion: odd, requestId: odd, _meta: meta }, { requiredKeys: [] }),
)
const method = fc.oneof(
  odd,
  fc.constantFrom('tools/call', 'initialize', 'notifications/cancelled', 'subscriptions/listen'),
)
const message = fc.record(
  { jsonrpc: fc.constantFrom('2.0', '2.0', '1.0'), id, method, params, result: rare, error: rare },
  { requiredKeys: ['jsonrpc', 'id', 'method'] },
)
/** As it comes out of a body. */
const body = fc
  .oneof(odd, message, fc.array(message, { maxLength: 2 }))
  .map((value): unknown => JSON.parse(JSON.stringify(value) ?? 'null'))

test('what is plain is for the SDK a request of a revision with sessions, and cancels nothing', () => {
  let plain = 0
  fc.assert(
    fc.property(body, fc.constantFrom(undefined, ...SESSION_REVISIONS), (one, revision) => {
      if (!isPlainRequest(one)) return
      plain += 1
      expect(isJSONRPCRequest(one)).toBe(true)
      const header = revision === undefined ? {} : { protocolVersionHeader: revision }
      expect(classifyInboundRequest({ httpMethod: 'POST', body: one, ...header }).kind).toBe('legacy')
      expect(isInitializeRequest(one) && one.method !== 'initialize').toBe(false)
      expect(requestIds(one)).toEqual(requestIds([one]))
      expect(cancelledIds(one)).toEqual(cancelledIds([one]))
    }),
    { numRuns: 20_000, seed: 7 },
  )
  expect(plain).toBeGreaterThan(500)
})

test.each([
  ['what clients send', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } }],
  ['a progress token', { jsonrpc: '2.0', id: 'a', method: 'ping', params: { _meta: { progressToken: 4 } } }],
  ['no params', { jsonrpc: '2.0', id: 0, method: 'tools/list' }],
])('%s is plain', (_, one) => {
  expect(isPlainRequest(one)).toBe(true)
})

test('a request of the revision without sessions is not plain', () => {
  const params = { name: 'x', arguments: {}, _meta: { [claim]: '2026-07-28' } }
  expect(isPlainRequest({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })).toBe(false)
})
