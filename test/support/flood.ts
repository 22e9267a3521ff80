import { once } from 'node:events'
import { connect } from 'node:net'

/** A request as it goes over a socket, and whose it is. */
export interface Sent {
  readonly whose: string
  readonly bytes: string
}

/**
 * Sends requests all at once, each on a connection of its own that was accepted before, in their order.
 * @returns whose they were, in the order in which they were answered
 */
export async function flood(port: number, requests: readonly Sent[]): Promise<readonly string[]> {
  const sockets = await Promise.all(
    requests.map(async () => {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.write('GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
      await once(socket, 'data')
      return socket
    }),
  )
  const answered: string[] = []
  const all = requests.map(async ({ whose }, i) => {
    await once(sockets[i]!, 'data')
    answered.push(whose)
  })
  for (const [i, { bytes }] of requests.entries()) sockets[i]!.write(bytes)
  await Promise.all(all)
  for (const socket of sockets) socket.destroy()
  return answered
}
