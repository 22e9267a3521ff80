import type { AuthInfo } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { Caller } from '../access/caller.js'

/**
 * One authenticated request: who asks, as the key says at this request, and until when an answer is wanted. Handlers
 * find it in their context; a session knows no caller of its own.
 */
export class Visit {
  readonly caller: Caller
  readonly keyId: string
  /** Aborts when the answer can no longer reach the caller or no longer may. */
  readonly signal: AbortSignal

  /** Names the request in its answer's header, in the log and in the audit trail. */
  readonly requestId: string
  /** Logs under that id. */
  readonly log: Logger

  constructor(admission: Omit<Visit, 'signal' | 'authInfo'>, signal: AbortSignal) {
    this.caller = admission.caller
    this.keyId = admission.keyId
    this.requestId = admission.requestId
    this.log = admission.log
    this.signal = signal
  }

  /** The form in which the SDK carries it to handlers; the token stays behind. */
  get authInfo(): AuthInfo {
    return { token: 'redacted', clientId: this.keyId, scopes: [], extra: { visit: this } }
  }
}

/** The visit a handler's request belongs to. Throws when there is none: nothing is answered to nobody. */
export function visitOf(context: { readonly http?: { readonly authInfo?: AuthInfo | undefined } | undefined }): Visit {
  const visit = context.http?.authInfo?.extra?.['visit']
  if (visit instanceof Visit) return visit
  throw new Error('A request reached a handler without authentication')
}
