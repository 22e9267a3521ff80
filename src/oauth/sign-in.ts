import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { type AuditedRequest, audited, type Trail } from '../activity/audited.js'
import type { Caller } from '../access/caller.js'
import type { Gate } from '../access/gate.js'
import type { Keys } from '../access/keys.js'
import { RefusedEntry } from '../access/refused-entry.js'
import { refuseOnRecord } from '../access/refuse-on-record.js'
import { Problem } from '../base/problem.js'
import { escapeUnseen } from '../base/text.js'
import type { KeyRecord } from '../store/records/key.js'
import type { AuthorizationServer } from './authorization-server.js'
import { hostOf } from './connections.js'
import { type Asking, consentPage, type Heard, keyPage, pageHeaders } from './pages.js'

/** Sign-ins at the second page: who showed a good key, by the sign-in's id. */
const MOST_UNDER_WAY = 10_000
const UNDER_WAY_MS = 10 * 60_000

export interface SignInParts {
  readonly gate: Pick<Gate, 'enter'>
  readonly keys: Pick<Keys, 'accepted' | 'callerOf'>
  readonly trail: Trail
  /** What a key hears, in words. */
  readonly heardBy: (key: KeyRecord, requestId: string) => Promise<Heard>
}

interface SignInRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly requestId: string
  readonly address: string
  /** The fields of the form; undefined where the page is asked for. */
  readonly form: URLSearchParams | undefined
}

/**
 * The pages on which a person lets a client in: first an application key, then what it hears and yes or no. The sign-in is
 * the browser's own by a signed cookie; what was typed is never kept, only which key it was.
 */
export class SignIn {
  readonly #parts: SignInParts
  readonly #shown = new LRUCache<string, string>({ max: MOST_UNDER_WAY, ttl: UNDER_WAY_MS })

  constructor(parts: SignInParts) {
    this.#parts = parts
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
    }
    const show = (status: number, html: string): void => {
      res.writeHead(status, pageHeaders(formTarget(redirect)))
      res.end(html)
    }
    const key = this.#keyOf(uid)
    if (form === undefined) {
      show(200, key === undefined ? keyPage(asking) : consentPage(asking, await this.#parts.heardBy(key, requestId)))
      return
    }
    const step = form.get('step')
    if (step === 'deny') {
      await server.interactionFinished(req, res, {
        error: 'access_denied',
        error_description: 'The person did not allow it',
      })
      return
    }
    if (step === 'allow' && key !== undefined) {
      await this.#allow(server, request, { uid, params }, key)
      return
    }
    try {
      const { keyId } = await this.#parts.gate.enter(`Bearer ${form.get('key')?.trim() ?? ''}`, request.address)
      this.#shown.set(uid, keyId)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error instanceof RefusedEntry) {
        const asked = { page: 'oauth: show a key', requestId, transport: 'mcp' } as const
        await refuseOnRecord(this.#parts.trail, error, error.who, asked).catch((refusal: unknown) => {
          if (refusal !== error) throw refusal
        })
      }
      const tooOften = error.code === 'too_many_requests'
      show(tooOften ? 429 : 400, keyPage(asking, error.code === 'unauthenticated' ? REFUSED : error.message))
      return
    }
    // The page is asked for anew, so that going back or loading it again sends no key a second time.
    res.writeHead(303, { location: req.url ?? '', 'cache-control': 'no-store' })
    res.end()
  }

  #keyOf(uid: string): KeyRecord | undefined {
    const keyId = this.#shown.get(uid)
    return keyId === undefined ? undefined : this.#parts.keys.accepted(keyId)
  }

  async #allow(
    server: AuthorizationServer,
    { req, res, requestId }: SignInRequest,
    { uid, params }: { readonly uid: string; readonly params: Readonly<Record<string, unknown>> },
    key: KeyRecord,
  ): Promise<void> {
    this.#shown.delete(uid)
    const grantId = await audited(this.#parts.trail, lineOf(this.#parts.keys.callerOf(key), requestId), async () => {
      const grant = new server.Grant({ accountId: key.key_id, clientId: String(params['client_id']) })
      const scope = String(params['scope'])
      // Every scope counts as one of OpenID's as well, and what was not granted is asked for again without end.
      grant.addOIDCScope(scope)
      grant.addResourceScope(String(params['resource']), scope)
      return await grant.save()
    })
    const result = { login: { accountId: key.key_id, remember: false }, consent: { grantId } }
    await server.interactionFinished(req, res, result, { mergeWithLastSubmission: false })
  }
}

const REFUSED = 'This key is not accepted: it was mistyped, has expired or was revoked.'

/** Whose key let a client in. */
function lineOf(caller: Caller, requestId: string): AuditedRequest {
  const { source, credential_id, app_name: name, project_id, access_scope } = caller
  const who = { source, credential_id, name, project_id, roles: access_scope.roles }
  return { ...who, request_id: requestId, transport: 'mcp', page: 'oauth: allow a client' }
}

/** Where browsers must let the form lead, for a client's answer to come after it: an origin, or a program's scheme. */
function formTarget(redirect: string): string {
  if (!URL.canParse(redirect)) return ''
  const { protocol, origin } = new URL(redirect)
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol
}
