import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { connect as connectByTls, createServer as createTlsServer } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { SlowReaders } from '../../src/mcp/http-listener.js'
import { TLS_CERT, TLS_KEY } from '../support/tls.js'

// Clients that stop taking what they asked for, over real sockets and at instants of our own.

const WAYS = [
  ['TCP', false],
  ['TLS', true],
] as const

const slow = new SlowReaders(30_000)
const open: { close(): void }[] = []
afterEach(() => {
  slow.stop()
  for (const one of open.splice(0)) one.close()
})

/** A connection whose server side writes 20 MB; `reads` says whether the client takes them. */
async function connection(reads: boolean, isTls: boolean): Promise<Socket> {
  const server = (isTls ? createTlsServer({ key: TLS_KEY, cert: TLS_CERT }) : createServer()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = { port: (server.address() as AddressInfo).port, host: '127.0.0.1' }
  const client = isTls ? connectByTls({ ...at, ca: TLS_CERT, servername: 'localhost' }) : connect(at)
  open.push({ close: () => void client.destroy() }, { close: () => void server.close() })
  client.on('error', () => undefined)
  if (reads) client.resume()
  const [socket] = (await once(server, isTls ? 'secureConnection' : 'connection')) as [Socket]
  socket.on('error', () => undefined)
  slow.watch(socket)
  socket.write(Buffer.alloc(20_000_000))
  return socket
}

test.each(WAYS)('a client that takes nothing for the patience is dropped over %s', async (_, isTls) => {
  const socket = await connection(false, isTls)
  let now = Date.now()
  await expect
    .poll(() => {
      slow.sweep((now += 11_000))
      return socket.destroyed
    })
    .toBe(true)
})

test.each(WAYS)('one that takes its time over %s is not, and neither is one with nothing to take', async (_, isTls) => {
  const socket = await connection(true, isTls)
  await expect.poll(() => socket.writableLength).toBe(0)
  slow.sweep(Date.now() + 60_000)
  slow.sweep(Date.now() + 120_000)
  expect(socket.destroyed).toBe(false)
})
