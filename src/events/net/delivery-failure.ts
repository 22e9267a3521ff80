import { errorCode } from '../../base/error-code.js'
/** Why no answer came, as one of a few words: what a receiver or a resolver says is never kept. */
export type FailureWord =
  | 'address_not_allowed'
  | 'name_not_found'
  | 'timeout'
  | 'connection_refused'
  | 'connection_failed'
  | 'tls_failed'
  | 'secret_unreadable'

/** An attempt that got no answer. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure'
  readonly word: FailureWord

  constructor(word: FailureWord) {
    super(word)
    this.word = word
  }
}

const TLS = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/

/** The word for an error of node:http or node:https. */
export function failureWord(error: unknown): FailureWord {
  if (error instanceof DeliveryFailure) return error.word
  const code = errorCode(error) ?? ''
  if (code === 'ECONNREFUSED') return 'connection_refused'
  if (code === 'ETIMEDOUT') return 'timeout'
  return TLS.test(code) ? 'tls_failed' : 'connection_failed'
}
