import { Webhook } from 'standardwebhooks'

/**
 * The headers of a delivery by the Standard Webhooks scheme: one signature for every secret, so that a receiver verifies
 * with the old one or the new one while they are exchanged.
 *
 * @param now milliseconds since 1970: the time of this attempt
 */
export function signedHeaders(
  eventId: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Readonly<Record<string, string>> {
  // Its seconds are what is signed.
  const at = new Date(now)
  return {
    'content-type': 'application/json',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': secrets.map(secret => new Webhook(secret).sign(eventId, at, body)).join(' '),
  }
}
