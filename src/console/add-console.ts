import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { clientAddress } from '../access/client-address.js'
import { consoleCookie, consoleSessionOf, refuseForeignPage } from '../access/console-cookie.js'
import type { ConsoleSessions } from '../access/console-sessions.js'
import type { Entry, Gate } from '../access/gate.js'
import { requesterOf } from '../access/requester-of.js'
import { Problem } from '../base/problem.js'
import { addCompanySession, type ConsoleCompany } from './add-company-session.js'
import { addLive, type LiveParts } from './add-live.js'
import type { ConsoleFile } from './console-files.js'
import { CONSOLE_PAGES } from './console-pages.js'
import { onRecord } from './on-record.js'

/** What the console is served with. */
export interface ConsoleParts extends LiveParts {
  readonly gate: Pick<Gate, 'enterByLink' | 'enterByProvider' | 'enterApi' | 'stillIn'>
  /** Signing in with the company's identity provider, where there is one. */
  readonly company: ConsoleCompany | undefined
  readonly sessions: ConsoleSessions
  readonly files: ReadonlyMap<string, ConsoleFile>
  /** From where recordings are played that are kept elsewhere. */
  readonly recordingOrigins: readonly string[]
}

/**
 * Nothing from elsewhere, nothing written into the page, nothing made of text: what a call says can't run, whatever it is
 * shown in.
 */
const policyOf = (recordingOrigins: readonly string[]) =>
  [
    "default-src 'none'",
    ["media-src 'self'", ...recordingOrigins].join(' '),
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** The names of these files hold a hash of what is in them. */
const ASSETS = 'assets/'
const FOREVER = 'public, max-age=31536000, immutable'

const SESSION = '/console/session'
/** A key, a token of an identity provider's or a link's code, and JSON around it. */
const SIGN_IN_BYTES = 9_216

const signIn = z.union([
  // An application key or an admin token; the project for a SuperAdmin's token that names none.
  z.strictObject({ key: z.string().trim().min(1).max(8_000), project_id: z.string().min(1).max(64).exactOptional() }),
  z.strictObject({ code: z.string().min(1).max(900) }),
])

/**
 * Serves the console: its page at each of its addresses, its files, and the session of who signed in.
 * @returns what sends the page, which says of an address that it has nothing there
 */
export function addConsole(app: FastifyInstance, parts: ConsoleParts) {
  const { files } = parts
  const policy = policyOf(parts.recordingOrigins)
  const index = files.get('index.html')
  if (index === undefined) throw new Error('The console was built without its page')
  const sendPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    reply.header('content-security-policy', policy)
    return sendFile(request, reply, index)
  }
  for (const url of CONSOLE_PAGES) app.get(url, sendPage)
  for (const [path, file] of files) {
    if (path === 'index.html') continue
    app.get(`/console/${path}`, (request, reply) => {
      if (path.startsWith(ASSETS)) reply.header('cache-control', FOREVER)
      reply.header('content-security-policy', policy)
      return sendFile(request, reply, file)
    })
  }
  addSession(app, parts)
  addLive(app, parts)
  addCompanySession(app, parts)
  return sendPage
}

function addSession(app: FastifyInstance, parts: ConsoleParts): void {
  const { gate, sessions, trail, isTrustedProxy } = parts
  const addressOf = (request: FastifyRequest) => clientAddress(request.raw, isTrustedProxy)

  app.post(SESSION, { bodyLimit: SIGN_IN_BYTES }, async (request, reply) => {
    const scheme = refuseForeignPage(request.raw)
    const given = readSignIn(request.body)
    const address = addressOf(request)
    const entry =
      'key' in given
        ? await gate.enterApi(`Bearer ${given.key}`, address, given.project_id)
        : await gate.enterByLink(given.code, address)
    const answer = await onRecord(trail, request, entry.caller, async () => {
      // Always a new one: a session that somebody else put into this browser must not become one of this key.
      endShown(sessions, request)
      const { source, project_id: projectId } = entry.caller
      const holder = source === 'admin_token' && 'key' in given ? { adminToken: given.key, projectId } : entry.keyId
      const token = sessions.open(holder, requesterOf(entry.caller))
      reply.header('set-cookie', consoleCookie(scheme, token))
      return await Promise.resolve(seenOf(entry))
    })
    return await reply.status(201).send(answer)
  })

  app.get(SESSION, async (request, reply) => {
    const session = consoleSessionOf(request.raw)
    // Who shows nothing is not somebody whose authentication failed.
    if (session === undefined) return await reply.status(204).send()
    const entry = await gate.enterApi(undefined, addressOf(request), undefined, session)
    return await reply.send(
      await onRecord(trail, request, entry.caller, async () => await Promise.resolve(seenOf(entry))),
    )
  })

  // Of whoever asks, signed in still or not: to leave there is nothing to prove but whose page it is.
  app.delete(SESSION, async (request, reply) => {
    const scheme = refuseForeignPage(request.raw)
    endShown(sessions, request)
    reply.headers({ 'set-cookie': consoleCookie(scheme, undefined), 'clear-site-data': '"cache"' })
    return await reply.status(204).send()
  })
}

/** Who signed in, as the console greets them. What they may hear is what answers hold. */
function seenOf({ caller }: Entry) {
  const isAdministrator = caller.source === 'admin_token'
  return { name: caller.app_name, project_id: caller.project_id, ...(isAdministrator && { administrator: true }) }
}

function endShown(sessions: ConsoleSessions, request: FastifyRequest): void {
  const shown = consoleSessionOf(request.raw)
  if (shown !== undefined) sessions.end(shown)
}

/** What the page sent; of a key nothing is repeated. */
function readSignIn(body: unknown): z.output<typeof signIn> {
  const read = signIn.safeParse(jsonOf(body))
  if (read.success) return read.data
  throw new Problem('invalid_input', 'Send {"key": …} with an application key or an admin token, as JSON')
}

function jsonOf(body: unknown): unknown {
  try {
    return Buffer.isBuffer(body) ? JSON.parse(body.toString('utf8')) : undefined
  } catch {
    return undefined
  }
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { type, plain, br, gzip }: ConsoleFile): FastifyReply {
  const kept = { ...(br && { br }), ...(gzip && { gzip }), identity: plain }
  const encoding = new Negotiator(request.raw).encoding(Object.keys(kept)) ?? 'identity'
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  reply.header('vary', 'accept-encoding')
  return reply.type(type).send(kept[encoding as keyof typeof kept] ?? plain)
}
