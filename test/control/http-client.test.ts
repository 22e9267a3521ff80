import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { HttpClient } from '../../src/control/http-client.js'
import { operation } from '../../src/operations/operation.js'
import { refusal } from '../support/access.js'

const counting = operation({
  method: 'GET',
  url: '/things/:kind',
  access: 'caller',
  query: z.strictObject({ only: z.array(z.string()).optional(), most: z.int().optional() }),
  answer: z.strictObject({ count: z.int() }),
  run: () => ({ count: 0 }),
})

/** A client of a server that answers every request like this; `below` is the path it is served under. */
async function clientOf(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  { below = '', timeoutMs = 30_000 } = {},
) {
  const server = createServer((request, response) => answer(response, request))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://127.0.0.1:${port}${below}`)
  const client = new HttpClient({ url, key: 'esk_secret', timeoutMs })
  const ask = (signal?: AbortSignal) =>
    client.run(
      counting,
      { kind: 'a/b c', project: 'shop', query: { only: ['x', 'y'], most: 3 } },
      signal === undefined ? {} : { signal },
    )
  return { ask, origin: url.origin }
}

const says =
  (status: number, body: string, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body)
const refused = (text: string, code: string) => JSON.stringify({ error: text, code })

test('asks by REST: path, lists and key where they belong, below the path of a proxy', async () => {
  let asked: IncomingMessage | undefined
  const { ask } = await clientOf(
    (response, request) => {
      asked = request
      response.end('{"count":7}')
    },
    { below: '/calls/' },
  )
  expect(await ask()).toEqual({ count: 7 })
  expect(asked?.url).toBe('/calls/things/a%2Fb%20c?only=x&only=y&most=3')
  expect(asked?.headers).toMatchObject({ authorization: 'Bearer esk_secret', 'x-project-id': 'shop' })
})

test('takes an answer with more in it, as a later version gives', async () => {
  const { ask } = await clientOf(says(200, '{"count":7,"median":3}'))
  expect(await ask()).toEqual({ count: 7, median: 3 })
})

test.each([
  ['a refusal, as it was raised there', says(404, refused('Call not found', 'not_found')), 'not_found: Call not found'],
  [
    'a key that is refused',
    says(401, refused('Invalid or inactive API key', 'unauthenticated')),
    'unauthenticated: <origin> refuses the key in EARSHOT_KEY: Invalid or inactive API key',
  ],
  ['a failure over there', says(500, refused('Internal error', 'internal')), 'its log says why'],
  [
    'a page',
    says(200, '<html>', { 'content-type': 'text/html; charset=utf-8' }),
    'is not Earshot’s API (status 200, text/html)',
  ],
  ['someone else’s JSON refusal', says(404, '{"message":"no"}'), 'is not Earshot’s API (status 404)'],
  ['someone else’s JSON', says(200, '{"name":"you"}'), 'it may be of another version'],
  ['JSON that is no object', says(200, '7'), 'is not Earshot’s API'],
  ['another address', says(301, '', { location: 'https://x/' }), 'sends us on to "https://x/"'],
  [
    'an answer cut short',
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"cou')
      setImmediate(() => response.destroy())
    },
    'can’t be asked: ',
  ],
] as const)('says what is wrong with %s', async (_, answer, said) => {
  const { ask, origin } = await clientOf(answer)
  expect(await refusal(() => ask())).toContain(said.replace('<origin>', origin))
})

test('does not wait for ever, and not when nobody waits', async () => {
  const late = await clientOf(() => undefined, { timeoutMs: 50 })
  expect(await refusal(() => late.ask())).toBe(`deadline_exceeded: ${late.origin} has not answered within 0.05 s`)
  const left = new AbortController()
  const { ask } = await clientOf(() => left.abort(new Error('I have to go')))
  await expect(ask(left.signal)).rejects.toThrow('I have to go')
})

test('a place where nobody listens is said to be one', async () => {
  const client = new HttpClient({ url: new URL('http://127.0.0.1:1'), key: 'k', timeoutMs: 30_000 })
  const asking = () => client.run(counting, { kind: 'a', project: 'shop' })
  expect(await refusal(asking)).toBe('store_unavailable: http://127.0.0.1:1 can’t be asked: nothing listens there')
})
