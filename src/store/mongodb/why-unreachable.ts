import { MongoServerSelectionError } from 'mongodb'
import { errorCode } from '../../base/error-code.js'

const OF_NO_AUTHORITY =
  'its certificate is of no authority that is trusted here; tlsCAFile in the address names a file with the certificate of the one that it is of'
const NO_CLIENT_CERTIFICATE =
  'it takes no client without a certificate that it trusts; tlsCertificateKeyFile in the address names a file with one and its key'

/** Codes of errors of the system, of Node's and of OpenSSL's, with what is wrong and what would be right. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of its host cannot be looked up',
  EHOSTUNREACH: 'no way leads there',
  ETIMEDOUT: 'nothing came back in time',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  DEPTH_ZERO_SELF_SIGNED_CERT: OF_NO_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: OF_NO_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: OF_NO_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: OF_NO_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: OF_NO_AUTHORITY,
  CERT_SIGNATURE_FAILURE: OF_NO_AUTHORITY,
  CERT_HAS_EXPIRED: 'its certificate has expired; it needs a new one',
  CERT_NOT_YET_VALID: "its certificate is not valid yet; see whether this machine's clock is right",
  CERT_REVOKED: 'its certificate is revoked; it needs a new one',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is not for this name; the address has to call it as its certificate does, or its certificate has to name it so too',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: NO_CLIENT_CERTIFICATE,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: NO_CLIENT_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: NO_CLIENT_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'the certificate of tlsCertificateKeyFile in the address has expired',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: `they do not agree on TLS: they have no cipher in common, or ${NO_CLIENT_CERTIFICATE}`,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'they have no version of TLS in common',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'they have no version of TLS in common',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there; leave tls=true out of the address',
  ERR_OSSL_UNSUPPORTED:
    'the file of tlsCertificateKeyFile in the address does not hold a certificate and its key, as PEM',
  ERR_OSSL_PEM_NO_START_LINE:
    'the file of tlsCertificateKeyFile in the address does not hold a certificate and its key, as PEM',
  ERR_OSSL_BAD_DECRYPT: 'tlsCertificateKeyFilePassword in the address does not open the key of tlsCertificateKeyFile',
}

/** Behind a colon why a server can't be reached, where it is something that an operator can mend; else nothing. */
export function whyUnreachable(error: unknown): string {
  const reason = reasonOf(error)
  return reason === undefined ? '' : `: ${reason}`
}

function reasonOf(error: unknown): string | undefined {
  const chain = [...beneath(error)]
  const says = (words: RegExp) => chain.some(one => words.test(one.message))
  // It has the code of any connection that was closed.
  if (says(/disconnected before secure TLS connection/)) {
    return 'it ended the connection before TLS had begun; where it listens without TLS, leave tls=true out of the address'
  }
  const known = chain.map(one => REASONS[codeOf(one)]).find(reason => reason !== undefined)
  if (known !== undefined) return known
  if (says(/certificate|TLS|SSL/i)) return 'they do not agree on TLS'
  const [outer] = chain
  if (!(outer instanceof MongoServerSelectionError)) return undefined
  if (says(/connection .* closed$/)) {
    return 'it closed the connection; where it listens with TLS, the address needs tls=true'
  }
  return chain.length === 1 ? ofSelection(outer) : undefined
}

/** The code of an error as Node 20 has it: of alerts OpenSSL 3.5, which Node 24 has, says "SSL/TLS" where 3.0 says "SSLV3". */
function codeOf(error: Error): string {
  return (errorCode(error) ?? '').replace('SSL/TLS_ALERT', 'SSLV3_ALERT')
}

/** Why none was found that would do, although none said why. */
function ofSelection({ reason }: MongoServerSelectionError): string | undefined {
  if (reason?.setName !== undefined && reason.setName !== null && reason.servers.size === 0) {
    return `no member of a replica set ${reason.setName} is there; see replicaSet in the address, and leave it out where routers of a sharded cluster (mongos) answer`
  }
  const types = [...(reason?.servers.values() ?? [])].map(one => one.type)
  if (types.includes('RSSecondary')) return 'it has no primary at the moment'
  return 'nothing came back in time'
}

/** An error with those that it came of; of a choice of servers with that of the first that failed. */
function* beneath(error: unknown): Generator<Error> {
  for (let at = error; at instanceof Error; at = innerOf(at)) yield at
}

function innerOf(error: Error): unknown {
  if (error.cause instanceof AggregateError) return error.cause.errors[0]
  const servers = error instanceof MongoServerSelectionError ? [...(error.reason?.servers.values() ?? [])] : []
  return servers.find(one => one.error !== null)?.error ?? error.cause
}
