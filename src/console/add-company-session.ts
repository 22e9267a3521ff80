import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, type IsTrusted } from '../access/client-address.js'
import { consoleCookie } from '../access/console-cookie.js'
import type { Admin } from '../access/admin.js'
import type { ConsoleSessions } from '../access/console-sessions.js'
import { clientNetwork, type Gate } from '../access/gate.js'
import { RefusedEntry } from '../access/refused-entry.js'
import { refuseOnRecord } from '../access/refuse-on-record.js'
import { requesterOf } from '../access/requester-of.js'
import type { Trail } from '../activity/audited.js'
import { RateLimit } from '../admission/rate-limit.js'
import { Problem } from '../base/problem.js'
import { type Addresses, addressesOf } from '../oauth/addresses.js'
import { SignInCookie } from '../oauth/browser-cookie.js'
import type { CompanySignIn } from '../oauth/company-sign-in.js'
import { errorPage, onwardPage, pageHeaders, projectPage } from '../oauth/pages.js'
import { onRecord } from './on-record.js'

/** Signing in to the console with the company's identity provider. */
export interface ConsoleCompany {
  readonly signIn: CompanySignIn
  /** Where browsers reach the console; unset: on this machine alone. */
  readonly publicUrl: string | undefined
  /** Milliseconds after which people, and administrators, are asked for again. */
  readonly personMs: number
  readonly administratorMs: number
}

interface CompanySessionParts {
  readonly gate: Pick<Gate, 'enterByProvider'>
  readonly sessions: Pick<ConsoleSessions, 'open'>
  readonly trail: Trail
  readonly isTrustedProxy: IsTrusted
  readonly company: ConsoleCompany | undefined
}

const WAYS = '/console/sign-in'
const COMPANY = '/console/company'
const BACK = `${COMPANY}/back`

const SIGN_INS_PER_MINUTE = 60

/**
 * The way to the identity provider and back, which ends in a session like any other. What was begun in a browser ends in it, at
 * our own first page and nowhere else.
 */
export function addCompanySession(app: FastifyInstance, parts: CompanySessionParts): void {
  const { company, gate, sessions, trail, isTrustedProxy } = parts
  // What the page asks, before it shows how to sign in.
  app.get(WAYS, async (_, reply) => await reply.send({ company: company !== undefined }))
  if (company === undefined) return
  const limit = new RateLimit(SIGN_INS_PER_MINUTE, 'sign-ins a minute per address')
  const addressOf = (request: FastifyRequest): string => clientAddress(request.raw, isTrustedProxy)

  const atOf = async (request: FastifyRequest): Promise<Addresses> => {
    await limit.take(clientNetwork(addressOf(request)))
    const at = addressesOf(request.raw, company.publicUrl)
    if (at === undefined)
      throw new Problem('not_found', 'There is no sign-in by a company under this address; the operator names its own')
    return at
  }

  /** Opens a session for whoever comes back, with the rights that the mapping gives now. @returns its token */
  const opened = async (request: FastifyRequest, at: Addresses): Promise<string> => {
    const asked = { page: `GET ${BACK}`, transport: 'rest' } as const
    let admin: Admin | undefined
    const find = async () => {
      const { search } = new URL(request.url, at.issuer)
      const { about, claims } = await company.signIn.finish(search, cookieOf(request, at).of(request.raw), at.of(BACK))
      admin = company.signIn.administrator(claims)
      if (admin === undefined) return await company.signIn.person(claims)
      return { admin, project: about === '' ? undefined : about }
    }
    const { caller, keyId } = await gate.enterByProvider(find, addressOf(request)).catch(async (error: unknown) => {
      if (!(error instanceof RefusedEntry)) throw error
      return await refuseOnRecord(trail, error, error.who, { ...asked, requestId: request.id })
    })
    return await onRecord(trail, request, caller, async () => {
      const [holder, mostMs] =
        admin === undefined
          ? [keyId, company.personMs]
          : [{ admin, projectId: caller.project_id }, company.administratorMs]
      return await Promise.resolve(sessions.open(holder, requesterOf(caller), mostMs))
    })
  }

  app.get(COMPANY, async (request, reply) => {
    const at = await atOf(request)
    // Another site's page must not sign anybody in here, or out of what they are signed in to.
    const site = request.headers['sec-fetch-site'] ?? 'none'
    if (site !== 'same-origin' && site !== 'none')
      return page(reply, 403, errorPage('Open the console itself, and sign in there.', BEGIN_AGAIN))
    const { project_id: project } = request.query as Readonly<Record<string, unknown>>
    try {
      const about = typeof project === 'string' ? project.slice(0, 64) : ''
      const { location, state, browser } = await company.signIn.begin(about, at.of(BACK))
      reply.header('set-cookie', new SignInCookie('company', state, at, BACK).set(browser))
      // From the page that asks for the project, by its form.
      if (typeof project === 'string') return await page(reply, 200, onwardPage(location))
      return await leadTo(reply, location)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return page(reply, 502, errorPage(error.message, BEGIN_AGAIN))
    }
  })

  app.get(BACK, async (request, reply) => {
    const at = await atOf(request)
    reply.header('set-cookie', cookieOf(request, at).clear())
    try {
      const token = await opened(request, at)
      reply.header('set-cookie', consoleCookie(at.issuer.startsWith('https:') ? 'https:' : 'http:', token))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // A SuperAdmin whom the mapping gives no project to begin with.
      if (error.code === 'invalid_input') return page(reply, 400, projectPage(`${at.prefix}${COMPANY}`))
      return page(reply, STATUS[error.code as string] ?? 400, errorPage(error.message, BEGIN_AGAIN))
    }
    return await leadTo(reply, `${at.prefix}/`)
  })
}

/** The cookie of the sign-in that an answer of the provider is about. */
function cookieOf({ url }: FastifyRequest, at: Addresses): SignInCookie {
  return new SignInCookie('company', new URL(url, at.issuer).searchParams.get('state') ?? '', at, BACK)
}

const BEGIN_AGAIN = 'Begin again on the first page of the console.'

const STATUS: Readonly<Record<string, number>> = { too_many_requests: 429, busy: 503, forbidden: 403 }

function page(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply.status(status).headers(pageHeaders()).send(html)
}

/** The address that the browser comes from holds a code: nothing is told of it, and nothing kept. */
async function leadTo(reply: FastifyReply, location: string): Promise<FastifyReply> {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return await reply.status(303).headers(headers).send()
}
