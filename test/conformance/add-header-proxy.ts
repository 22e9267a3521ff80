import { createServer, request } from 'node:http'

export interface Proxy {
  readonly url: string
  close(): void
}

/**
 * A proxy that puts an application key on every request, which the suite can't, and passes everything else on as it is:
 * Host and Origin too, so that the server's own checks are the ones that are checked. Streams both ways.
 */
export async function addHeaderProxy(target: string, key: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const server = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${key}` }
    const onward = request({ hostname, port, method: req.method, path: req.url, headers }, answer => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      res.flushHeaders()
      answer.pipe(res)
    })
    onward.on('error', () => res.destroy())
    res.on('close', () => onward.destroy())
    req.pipe(onward)
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
