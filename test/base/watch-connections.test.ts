import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { watchConnections } from '../../src/base/watch-connections.js'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that answers before it has all of a request, and the ends of a connection to it. */
async function earlyAnswers() {
  const server = createServer((_, response) => void response.end('no'))
  watchConnections(server, { maxConnections: 10, idleMs: 0 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket]
  closing.push(
    () => client.destroy(),
    () => server.close(),
  )
  return { client, socket }
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
