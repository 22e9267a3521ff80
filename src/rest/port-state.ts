import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { get as getByTls } from 'node:https'
import { createServer } from 'node:net'
import { json } from 'node:stream/consumers'

/** Whether an address can be listened on: `free`, or the system's word for why not. */
export function portState(host: string, port: number): Promise<string> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('free')))
  })
}

/**
 * What a listener of this machine answers as JSON, whatever certificate it shows: that names no address of this machine. Rejects when
 * there is no such answer in time.
 */
export async function answerOf(url: string, timeoutMs: number): Promise<unknown> {
  const asked = { signal: AbortSignal.timeout(timeoutMs), rejectUnauthorized: false }
  const request = url.startsWith('https:') ? getByTls(url, asked) : get(url, asked)
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return await json(answer)
}
