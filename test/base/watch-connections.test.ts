import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { connect as connectByTls } from 'node:tls'
import { afterEach, expect, test, vi } from 'vitest'
import { Certificate } from '../../src/base/certificate.js'
import { connectionEvent, createHttpServer } from '../../src/base/http-server.js'
import { LINGER_MS, watchConnections } from '../../src/base/watch-connections.js'
import { tempDir } from '../support/temp-dir.js'
import { TLS_CERT, TLS_KEY } from '../support/tls.js'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that answers before it has all of a request, and the ends of a connection to it. */
async function earlyAnswers() {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.end('no')
  })
  watchConnections(server, { maxConnections: 10, idleMs: 0 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket]
  closing.push(
    () => client.destroy(),
    () => server.close(),
  )
  return { client, socket, asked: () => asked }
}

test('a connection keeps nothing of the requests that were answered early and came to their end', async () => {
  const { client, socket } = await earlyAnswers()
  const ask = async () => {
    client.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\n\r\n')
    await once(client, 'data')
    client.write('body')
  }
  await ask()
  await ask()
  const before = socket.listenerCount('close')
  for (let i = 0; i < 20; i += 1) await ask()
  expect(socket.listenerCount('close')).toBe(before)
})

test.each([
  ['at once', false],
  ['when the request was closed', true],
])('a connection is ended behind an answer that was given when reading its request failed: %s', async (_, isLater) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  closing.push(() => void vi.useRealTimers())
  const server = createServer((request, response) => {
    const read = async () => {
      for await (const _ of request) throw new Error('What came is wrong')
    }
    void read().catch(async () => {
      if (isLater && !request.closed) await new Promise<void>(resolve => void request.once('close', resolve))
      response.end('no')
    })
  })
  watchConnections(server, { maxConnections: 10, idleMs: 0 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  closing.push(
    () => client.destroy(),
    () => server.close(),
  )
  client.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nbody')
  const [answer] = (await once(client, 'data')) as [Buffer]
  expect(answer.toString()).toContain('200 OK')
  const closed = once(client, 'close')
  await vi.advanceTimersByTimeAsync(LINGER_MS)
  await closed
})

test('a connection that asks thousands of times without waiting for an answer is ended, and few of them are worked on', async () => {
  const { client, asked } = await earlyAnswers()
  client.on('error', () => undefined).resume()
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(2_000))
  await once(client, 'close')
  expect(asked()).toBeLessThan(100)
})

test('a few requests at once are answered in their order, again and again', async () => {
  const { client, asked } = await earlyAnswers()
  for (let round = 1; round <= 10; round += 1) {
    let said = ''
    client.on('data', piece => (said += piece.toString()))
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(20))
    await expect.poll(() => said.match(/HTTP\/1.1 200/g)?.length).toBe(20)
    client.removeAllListeners('data')
    expect(asked()).toBe(20 * round)
  }
})

function certificateOf(): Certificate {
  const [certFile, keyFile] = [join(tempDir(), 'cert.pem'), join(tempDir(), 'key.pem')]
  writeFileSync(certFile, TLS_CERT)
  writeFileSync(keyFile, TLS_KEY)
  return new Certificate({ certFile, keyFile })
}

test.each(['HTTP', 'HTTPS'])('a client that stops taking its answer is ended over %s', async scheme => {
  const certificate = scheme === 'HTTPS' ? certificateOf() : undefined
  const server = createHttpServer(
    { headersTimeout: 60_000 },
    (_, response) => response.end(Buffer.alloc(20_000_000)),
    certificate,
  )
  watchConnections(server, { maxConnections: 10, idleMs: 50 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = { port: (server.address() as AddressInfo).port, host: '127.0.0.1' }
  const client =
    certificate === undefined ? connect(at) : connectByTls({ ...at, ca: TLS_CERT, servername: 'localhost' })
  closing.push(
    () => client.destroy(),
    () => server.close(),
  )
  client.on('error', () => undefined)
  const [socket] = (await once(server, connectionEvent(certificate))) as [Socket]
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(socket, 'close')
  expect(client.bytesRead).toBeLessThan(20_000_000)
})
