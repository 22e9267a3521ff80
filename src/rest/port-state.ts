import { createServer } from 'node:net'

/** Whether an address can be listened on: `free`, or the system's word for why not. */
export function portState(host: string, port: number): Promise<string> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('free')))
  })
}
