import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { InteractionResults } from 'oidc-provider'
import { type AuditedRequest, audited, type Trail } from '../activity/audited.js'
import type { Caller } from '../access/caller.js'
import type { Gate } from '../access/gate.js'
import { INVITATION_PREFIX } from '../access/key-tokens.js'
import type { Keys } from '../access/keys.js'
import { RefusedEntry } from '../access/refused-entry.js'
import { refuseOnRecord } from '../access/refuse-on-record.js'
import { whoOnRecord } from '../access/who-on-record.js'
import { boundedCache } from '../base/bounded-cache.js'
import { Problem } from '../base/problem.js'
import { escapeUnseen } from '../base/text.js'
import type { Narrowing } from '../store/oauth-store.js'
import type { KeyRecord } from '../store/records/key.js'
import type { AuthorizationServer } from './authorization-server.js'
import { type Addresses, OAUTH_PATHS } from './addresses.js'
import type { CompanySignIn } from './company-sign-in.js'
import { type Connections, hostOf } from './connections.js'
import { browserCookie, cookieOf, isOfBrowser, shownCookie, SignInCookie } from './browser-cookie.js'
import {
  type Asking,
  consentPage,
  errorPage,
  type Heard,
  invitationPage,
  keyPage,
  onwardPage,
  pageHeaders,
} from './pages.js'
import { readNarrowing } from './read-narrowing.js'

/** Sign-ins at the second page: who showed a good key, by the sign-in's id. */
const MOST_UNDER_WAY = 10_000
const UNDER_WAY_MS = 10 * 60_000

/** The invitation that a browser opened, for the sign-in that a program begins in it within the hour. */
const INVITATION_COOKIE = 'earshot_invitation'
const INVITATION_COOKIE_S = 3_600

export interface SignInParts {
  readonly gate: Pick<Gate, 'enter' | 'enterByInvitation' | 'enterByProvider' | 'hearProvider'>
  readonly keys: Pick<Keys, 'accepted' | 'acceptedByNow' | 'callerOf' | 'invited' | 'redeem' | 'onChange' | 'signOut'>
  readonly connections: Pick<Connections, 'narrowed' | 'endAllOf'>
  readonly trail: Trail
  /** Signing in with the company's identity provider, where there is one. */
  readonly company?: CompanySignIn | undefined
  /** Milliseconds that what is let in for a key holds: whoever a provider vouches for is asked for again sooner. */
  readonly holdsMs: (key: KeyRecord) => number
  /** What a key hears, in words. */
  readonly heardBy: (key: KeyRecord, requestId: string) => Promise<Heard>
}

interface SignInRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly requestId: string
  readonly address: string
  /** Where the browser is. */
  readonly at: Addresses
  /** The fields of the form; undefined where the page is asked for. */
  readonly form: URLSearchParams | undefined
}

/** What somebody showed: a key, or an invitation to be the person of one. */
interface Shown {
  readonly keyId: string
  readonly invitation?: string
}

/** By which browser, as the secret says that only this one was given. */
interface ShownBy extends Shown {
  readonly browser: string
}

/**
 * The pages on which somebody lets a client in: first an application key, an invitation or the company's identity provider, then
 * what it hears and yes or no. The sign-in is the browser's own by a signed cookie; what was typed is never kept, only which key
 * it was, and the invitation until it is accepted. That cookie is as old as the sign-in: a neighbour of ours who began one may have
 * planted it in somebody's browser. So what was shown, and the yes, are of the browser that showed and said it by a secret of their own.
 */
export class SignIn {
  readonly #parts: SignInParts
  readonly #shown = boundedCache<string, ShownBy>(MOST_UNDER_WAY, { ttl: UNDER_WAY_MS })

  constructor(parts: SignInParts) {
    this.#parts = parts
    parts.keys.onChange(({ keyId, kind }) => {
      if (kind === 'changed') return
      for (const [uid, shown] of this.#shown.entries()) if (shown.keyId === keyId) this.#shown.delete(uid)
    })
  }

  async answer(server: AuthorizationServer, request: SignInRequest): Promise<void> {
    const { req, res, form, requestId } = request
    const { uid, params } = await server.interactionDetails(req, res)
    const client = await server.Client.find(String(params['client_id']))
    const redirect = String(params['redirect_uri'])
    const asking: Asking = {
      // The client's own word for itself.
      clientName: escapeUnseen(client?.clientName ?? ''),
      redirectHost: hostOf(redirect),
      documentHost: hostOf(String(params['client_id'])),
    }
    const company = this.#parts.company && `${request.at.prefix}${OAUTH_PATHS.signIn}/${uid}${COMPANY}`
    const show = (status: number, html: string): void => {
      res.writeHead(status, pageHeaders())
      res.end(html)
    }
    if (form === undefined) {
      const opened = cookieOf(req, INVITATION_COOKIE)
      let key = this.#keyShown(this.#shownBy(uid, request))
      let fault: Fault | undefined
      if (key === undefined && opened !== undefined) {
        const entered = await this.#enter(uid, opened, request)
        if ('sentence' in entered) {
          fault = entered
          forget(res, request.at)
        } else key = this.#keyShown(entered)
      }
      show(
        fault?.status ?? 200,
        key === undefined ? keyPage(asking, company, fault?.sentence) : await this.#consentPage(asking, key, requestId),
      )
      return
    }
    const shown = this.#shownBy(uid, request)
    const key = this.#keyShown(shown)
    const step = form.get('step')
    const finish = async (result: InteractionResults): Promise<void> => {
      show(200, onwardPage(await server.interactionResult(req, res, result, { mergeWithLastSubmission: false })))
    }
    if (step === 'deny') {
      await finish({ error: 'access_denied', error_description: 'The person did not allow it' })
      return
    }
    if (step === 'allow' && shown !== undefined && key !== undefined) {
      const left = readNarrowing(form, await this.#parts.heardBy(key, requestId))
      if ('fault' in left) {
        show(400, await this.#consentPage(asking, key, requestId, left.fault))
        return
      }
      const allowed = await this.#allow(server, request, { uid, params, shown }, key, left)
      if (allowed === undefined) show(400, keyPage(asking, company, REFUSED))
      else await finish(allowed)
      return
    }
    const entered = await this.#enter(uid, form.get('key')?.trim() ?? '', request)
    if ('sentence' in entered) {
      show(entered.status, keyPage(asking, company, entered.sentence))
      return
    }
    // The page is asked for anew, so that going back or loading it again sends no key a second time.
    res.writeHead(303, { location: req.url ?? '', 'cache-control': 'no-store' })
    res.end()
  }

  /** What an invitation's link leads to: whom it is for, and how to go on. It is not used up by being looked at. */
  async showInvitation({ req, res, requestId, address, at }: Omit<SignInRequest, 'form'>): Promise<void> {
    const code = new URL(req.url ?? '', at.issuer).searchParams.get('code') ?? ''
    const show = (status: number, html: string): void => {
      res.writeHead(status, pageHeaders())
      res.end(html)
    }
    const entered = await this.#entered(
      code.startsWith(INVITATION_PREFIX) ? code : INVITATION_PREFIX,
      requestId,
      address,
    )
    const key = 'keyId' in entered ? this.#parts.keys.accepted(entered.keyId) : undefined
    if ('sentence' in entered || key === undefined) {
      show('status' in entered ? entered.status : 400, errorPage('sentence' in entered ? entered.sentence : REFUSED))
      return
    }
    res.setHeader('set-cookie', browserCookie(INVITATION_COOKIE, code, INVITATION_COOKIE_S, at, OAUTH_PATHS.signIn))
    show(200, invitationPage(at.of('/mcp'), await this.#parts.heardBy(key, requestId)))
  }

  /** Sends the browser to the identity provider. @returns whether there is one */
  async beginCompany(server: AuthorizationServer, { req, res, at }: Omit<SignInRequest, 'form'>): Promise<boolean> {
    const { company } = this.#parts
    if (company === undefined || req.method !== 'GET') return false
    const { uid } = await server.interactionDetails(req, res)
    try {
      const { location, state, browser } = await company.begin(uid, at.of(OAUTH_PATHS.company))
      res.setHeader('set-cookie', new SignInCookie('company', state, at, OAUTH_PATHS.company).set(browser))
      res.writeHead(303, { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      res.end()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      res.writeHead(502, pageHeaders())
      res.end(errorPage(error.message))
    }
    return true
  }

  /** Takes the browser back from the identity provider, to the page that asks for consent. @returns whether there is one */
  async finishCompany({ req, res, requestId, address, at }: Omit<SignInRequest, 'form'>): Promise<boolean> {
    const { company, gate } = this.#parts
    if (company === undefined || req.method !== 'GET') return false
    const { search, searchParams } = new URL(req.url ?? '', at.issuer)
    const cookie = new SignInCookie('company', searchParams.get('state') ?? '', at, OAUTH_PATHS.company)
    res.setHeader('set-cookie', cookie.clear())
    let uid = ''
    try {
      const { keyId } = await gate.enterByProvider(async () => {
        const { about, claims } = await company.finish(search, cookie.of(req), at.of(OAUTH_PATHS.company))
        uid = about
        return await company.person(claims)
      }, address)
      this.#keep(uid, { keyId }, { res, at })
    } catch (error) {
      const { status, sentence } = await this.#faultOf(error, requestId)
      res.writeHead(status, pageHeaders())
      res.end(errorPage(sentence))
      return true
    }
    res.writeHead(303, { location: `${at.prefix}${OAUTH_PATHS.signIn}/${uid}`, 'cache-control': 'no-store' })
    res.end()
    return true
  }

  /**
   * Ends what somebody is signed in to, by the word of the identity provider (OpenID Connect Back-Channel Logout 1.0).
   * @returns whether there is one @throws Error where it could not be ended for good, so that the provider knows
   */
  async signOut(
    { res, requestId, address }: Omit<SignInRequest, 'form' | 'at' | 'req'>,
    body: string,
  ): Promise<boolean> {
    const { company, connections, gate, keys, trail } = this.#parts
    if (company === undefined) return false
    const token = new URLSearchParams(body).get('logout_token') ?? ''
    const answer = (status: number, said: object | undefined) => {
      res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      res.end(said && JSON.stringify(said))
      return true
    }
    let people: readonly KeyRecord[]
    try {
      people = await gate.hearProvider(() => company.signedOut(token), address)
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'too_many_requests') throw error
      return answer(400, { error: 'invalid_request', error_description: error.message })
    }
    for (const person of people) {
      // oxlint-disable-next-line no-await-in-loop -- as below
      await keys.signOut(person.key_id)
      const line = lineOf(keys.callerOf(person), requestId, 'oauth: signed out by the identity provider')
      // oxlint-disable-next-line no-await-in-loop -- one person has a key a project, and is heard in one of them
      await audited(trail, line, () => connections.endAllOf(person.key_id))
    }
    return answer(200, undefined)
  }

  /** What was shown, where this is the browser that showed it. */
  #shownBy(uid: string, { req, at }: Pick<SignInRequest, 'req' | 'at'>): ShownBy | undefined {
    const shown = this.#shown.get(uid)
    return shown !== undefined && isOfBrowser(shown.browser, uid, req, at) ? shown : undefined
  }

  /** Whom it is of by now; an invitation that somebody else accepted meanwhile is none. */
  #keyShown(shown: Shown | undefined): KeyRecord | undefined {
    if (shown === undefined) return undefined
    const { keyId, invitation } = shown
    return invitation === undefined ? this.#parts.keys.accepted(keyId) : this.#parts.keys.invited(invitation)
  }

  /** Keeps what was shown, for the browser that is answered alone. */
  #keep(uid: string, shown: Shown, { res, at }: Pick<SignInRequest, 'res' | 'at'>): void {
    const browser = randomBytes(32).toString('base64url')
    this.#shown.set(uid, { ...shown, browser })
    res.appendHeader('set-cookie', shownCookie(uid, at).set(browser))
  }

  /** @returns whom what was shown is of, or what is wrong with it */
  async #enter(uid: string, written: string, request: SignInRequest): Promise<Shown | Fault> {
    const entered = await this.#entered(written, request.requestId, request.address)
    if (!('sentence' in entered)) this.#keep(uid, entered, request)
    return entered
  }

  async #entered(written: string, requestId: string, address: string): Promise<Shown | Fault> {
    const invitation = INVITATION.exec(written)?.[1]
    const { gate } = this.#parts
    try {
      if (invitation === undefined) return { keyId: (await gate.enter(`Bearer ${written}`, address)).keyId }
      return { keyId: (await gate.enterByInvitation(invitation, address)).keyId, invitation }
    } catch (error) {
      const fault = await this.#faultOf(error, requestId)
      return {
        ...fault,
        sentence: error instanceof Problem && error.code === 'unauthenticated' ? REFUSED : fault.sentence,
      }
    }
  }

  /** A refusal as a page says it; of somebody known it is on record. Anything else is thrown on. */
  async #faultOf(error: unknown, requestId: string): Promise<Fault> {
    if (!(error instanceof Problem)) throw error
    if (error instanceof RefusedEntry) {
      const asked = { page: 'oauth: show a key', requestId, transport: 'mcp' } as const
      try {
        await refuseOnRecord(this.#parts.trail, error, error.who, asked)
      } catch (refusal) {
        if (refusal !== error) throw refusal
      }
    }
    const status = { too_many_requests: 429, forbidden: 403 }[error.code as string] ?? 400
    return { status, sentence: error.message }
  }

  async #consentPage(asking: Asking, key: KeyRecord, requestId: string, fault?: string): Promise<string> {
    const { heardBy, holdsMs } = this.#parts
    return consentPage(asking, await heardBy(key, requestId), Date.now() + holdsMs(key), fault)
  }

  /**
   * @returns what the sign-in comes to; undefined where somebody else accepted its invitation, something else was shown since, or who
   *   showed it is signed out by now
   */
  async #allow(
    server: AuthorizationServer,
    { res, requestId, at }: SignInRequest,
    {
      uid,
      params,
      shown,
    }: { readonly uid: string; readonly params: Readonly<Record<string, unknown>>; readonly shown: ShownBy },
    key: KeyRecord,
    left: Narrowing,
  ): Promise<InteractionResults | undefined> {
    const { invitation, browser } = shown
    if (this.#shown.get(uid) !== shown) return undefined
    this.#shown.delete(uid)
    // Of two who accept it at once, one does.
    if (invitation !== undefined && !(await this.#parts.keys.redeem(invitation))) return undefined
    if (invitation !== undefined) forget(res, at)
    const grantId = await audited(
      this.#parts.trail,
      lineOf(this.#parts.keys.callerOf(key), requestId, 'oauth: allow a client'),
      async () => {
        const grant = new server.Grant({ accountId: key.key_id, clientId: String(params['client_id']) })
        grant.jti = randomBytes(32).toString('base64url')
        const scope = String(params['scope'])
        // Every scope counts as one of OpenID's as well, and what was not granted is asked for again without end.
        grant.addOIDCScope(scope)
        grant.addResourceScope(String(params['resource']), scope)
        await this.#parts.connections.narrowed(grant.jti, left, () => grant.save())
        // Whoever was signed out meanwhile, at whichever process, was so before this was there to be ended.
        const byNow = await this.#parts.keys.acceptedByNow(key.key_id)
        if (byNow !== undefined && byNow.signed_out_at === key.signed_out_at) return grant.jti
        await grant.destroy()
        return undefined
      },
    )
    if (grantId === undefined) return undefined
    return { login: { accountId: key.key_id, remember: false }, consent: { grantId }, browser }
  }
}

/** One sentence, so that nobody learns of a key or an invitation whether there ever was such a one. */
const REFUSED = 'This is not accepted: it was mistyped, has expired, was revoked or was used already.'

interface Fault {
  readonly status: number
  readonly sentence: string
}

/** An invitation, as it is or as its link. */
const INVITATION = new RegExp(`(?:^|[?&]code=)(${INVITATION_PREFIX}[\\w-]*)$`)

/** Where the sign-in with the identity provider begins, behind the address of a sign-in's page. */
export const COMPANY = '/company'

/** The browser's invitation was used, or is none. */
function forget(res: ServerResponse, at: Addresses): void {
  res.appendHeader('set-cookie', browserCookie(INVITATION_COOKIE, '', 0, at, OAUTH_PATHS.signIn))
}

/** Whose key it is about. */
function lineOf(caller: Caller, requestId: string, page: string): AuditedRequest {
  return { ...whoOnRecord(caller), request_id: requestId, transport: 'mcp', page }
}
