import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'

/** A plain proxy as it stands before several processes: each request goes to the next of them, whoever asks. */
export interface RoundRobin {
  readonly url: string
  /** Requests that each of them was given. */
  served(): readonly number[]
  /** Where requests go from now on. */
  targets: readonly string[]
  close(): Promise<void>
}

export async function roundRobin(targets: readonly string[]): Promise<RoundRobin> {
  const served = new Map<string, number>()
  let turn = 0
  const server = createServer((req, res) => {
    const target = proxy.targets[(turn += 1) % proxy.targets.length]!
    served.set(target, (served.get(target) ?? 0) + 1)
    const { hostname, port } = new URL(target)
    const headers = { ...req.headers, host: `${hostname}:${port}` }
    const passed = request({ hostname, port, method: req.method, path: req.url, headers }, answer => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    // Whoever goes away is gone at the other end too.
    res.once('close', () => passed.destroy())
    passed.once('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()))
    req.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: RoundRobin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served: () => proxy.targets.map(target => served.get(target) ?? 0),
    targets,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return proxy
}
