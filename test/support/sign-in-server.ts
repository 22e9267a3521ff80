import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { shapeError } from '../../src/base/shape-error.js'
import type { ClientDocuments } from '../../src/oauth/client-documents.js'
import { OAuthEndpoints } from '../../src/oauth/oauth-endpoints.js'
import { type makeAccess, silent } from './access.js'
import { KeptTrail } from './kept-trail.js'

/** How long what is let in here holds, milliseconds. */
export const HOLDS_MS = 60_000

/**
 * The sign-in of AI clients by itself, at a free port of loopback: no calls stand behind it.
 * @param addressOf whom a request counts for
 */
export async function startSignIn(
  { gate, keys, connections }: Pick<Awaited<ReturnType<typeof makeAccess>>, 'gate' | 'keys' | 'connections'>,
  documents?: ClientDocuments,
  addressOf: (request: IncomingMessage) => string = () => '127.0.0.1',
) {
  const endpoints = new OAuthEndpoints({
    gate,
    keys,
    connections,
    trail: new KeptTrail(),
    cookieSecret: 'of the tests',
    documents,
    holdsMs: () => HOLDS_MS,
    heardBy: async () => ({
      name: 'k',
      isPerson: false,
      text: 'full',
      trail: 'untold',
      project: 'p',
      agents: 'all',
      calls: '1',
      offered: [],
      notOffered: 0,
    }),
    log: silent,
  })
  const server = createServer((req, res) => {
    const path = new URL(req.url ?? '', 'http://here').pathname
    endpoints.answer({ req, res, path, requestId: 'r', address: addressOf(req) }).then(
      found => found || res.writeHead(404).end(),
      (error: unknown) => res.writeHead(shapeError(error, () => undefined).status).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
