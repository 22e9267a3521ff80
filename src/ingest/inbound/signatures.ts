import { createHash, createHmac } from 'node:crypto'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { isObject } from '../../base/is-object.js'
import { parsedJson } from '../../base/parsed-json.js'
import { sameSecret } from '../../base/same-secret.js'
import type { InboundKind } from '../../store/records/inbound-webhook.js'

/** A request as it came. */
export interface SignedRequest {
  /** The address it was sent to, as the sender knows it. */
  readonly url: string
  readonly header: (name: string) => string | undefined
  /** Its media type, in lower case and without parameters. */
  readonly type: string
  readonly body: Buffer
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A request whose signature holds. */
export interface Verified {
  /** The document that it brings. */
  readonly document: Buffer
  /** What is the same each time the sender tries again. */
  readonly identity: string
}

/** How requests of one kind are signed; undefined where the signature does not hold. */
type Verify = (request: SignedRequest, secret: string) => Verified | undefined

/** Milliseconds in which EventBridge tries again, and an hour. */
const EVENT_LASTS_MS = 25 * 3_600_000
/** What a clock may be ahead of ours. */
const AHEAD_MS = 5 * 60_000

/** https://www.standardwebhooks.com: id, time (five minutes either way) and body are signed. */
const standard: Verify = ({ header, body }, secret) => {
  const headers = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name => [name, header(name) ?? '']),
  )
  try {
    new Webhook(secret).verify(body, headers)
    return { document: body, identity: headers['webhook-id'] ?? '' }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return undefined
    throw error
  }
}

/** Whether requests can be signed by a secret. */
export function isStandardSecret(secret: string): boolean {
  try {
    return new Webhook(secret).sign('id', new Date(0), '') !== ''
  } catch {
    return false
  }
}

/**
 * https://www.twilio.com/docs/usage/security#validating-requests: the address with the fields of a form, sorted; of any other body
 * the address holds a hash. It says no time.
 */
const twilio: Verify = ({ url, header, type, body }, secret) => {
  const signature = header('x-twilio-signature') ?? ''
  const isForm = type === 'application/x-www-form-urlencoded'
  const form = isForm ? [...new URLSearchParams(body.toString())] : []
  const signed = form
    .toSorted(byName)
    .map(pair => pair.join(''))
    .join('')
  const holds = withAndWithoutPort(url).some(address =>
    sameSecret(
      createHmac('sha1', secret)
        .update(address + signed)
        .digest('base64'),
      signature,
    ),
  )
  if (!holds) return undefined
  if (isForm)
    return {
      document: Buffer.from(JSON.stringify(Object.fromEntries(form))),
      identity: `${signature}\n${digestOf(body)}`,
    }
  const said = new URL(url).searchParams.get('bodySHA256')
  if (said === null || !sameSecret(digestOf(body), said)) return undefined
  return { document: body, identity: signature }
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) => (a < b ? -1 : a > b ? 1 : 0)

/** Some of its products sign the port that others leave out. */
function withAndWithoutPort(url: string): readonly string[] {
  const usual = url.startsWith('https:') ? '443' : '80'
  const [, origin = '', port, rest = ''] = /^(https?:\/\/[^/?#]*?)(?::(\d+))?([/?#].*)?$/.exec(url) ?? []
  return [...new Set([url, `${origin}${rest}`, `${origin}:${port ?? usual}${rest}`])]
}

/** https://developer.genesys.cloud/commdigital/digital/openmessaging/validate: the body is signed. It says no time. */
const genesys: Verify = ({ header, body }, secret) => {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`
  return sameSecret(header('x-hub-signature-256') ?? '', expected)
    ? { document: body, identity: digestOf(body) }
    : undefined
}

/**
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-target-connection-auth.html: nothing is signed; the connection shows an
 * API key. An event says its time, its id, and holds the document as its detail.
 */
const eventbridge: Verify = ({ header, body, now }, secret) => {
  if (!sameSecret(header('x-api-key') ?? '', secret)) return undefined
  const event = parsedJson(body.toString())
  if (!isObject(event) || !isObject(event['detail'])) return { document: body, identity: digestOf(body) }
  const at = Date.parse(String(event['time']))
  if (at < now - EVENT_LASTS_MS || at > now + AHEAD_MS) return undefined
  return {
    document: Buffer.from(JSON.stringify(event['detail'])),
    identity: `${String(event['id'])}\n${digestOf(body)}`,
  }
}

const schemes: Readonly<Record<InboundKind, Verify>> = { standard, twilio, genesys, eventbridge }

/** What a request brings; undefined where its signature does not hold, or is of another time. */
export function verifyRequest(kind: InboundKind, request: SignedRequest, secret: string): Verified | undefined {
  return schemes[kind](request, secret)
}

function digestOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
