import { createHash, createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, test } from 'vitest'
import { verifyRequest } from '../../../src/ingest/inbound/signatures.js'

const NOW = Date.parse('2026-03-01T10:00:00Z')

function request(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  type = 'application/json',
  now = NOW,
) {
  return { url, header: (name: string) => headers[name], type, body: Buffer.from(body), now }
}

describe('twilio', () => {
  // The examples of Twilio's documentation and of its own libraries' tests.
  const TOKEN = '12345'
  const URL = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  const FORM = 'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212'
  const form = (url: string, signature: string, body = FORM) =>
    verifyRequest(
      'twilio',
      request(url, { 'x-twilio-signature': signature }, body, 'application/x-www-form-urlencoded'),
      TOKEN,
    )

  test('a form is signed with its address and its fields', () => {
    const found = form(URL, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')
    expect(JSON.parse(String(found?.document))).toMatchObject({ CallSid: 'CA1234567890ABCDE', From: '+14158675309' })
    expect(form(URL.replace('.com', '.com:443'), 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')).toBeDefined()
    expect(form(URL, 'RSOYDt4T1cUTdK1PDd93/VVr8B9=')).toBeUndefined()
    expect(form(`${URL}&x=1`, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')).toBeUndefined()
    expect(form(URL, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=', `${FORM}&More=1`)).toBeUndefined()
    expect(form(URL, '')).toBeUndefined()
  })

  test('of another body the address holds the hash', () => {
    const body = '{"property": "value", "boolean": true}'
    const hash = '0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620'
    expect(createHash('sha256').update(body).digest('hex')).toBe(hash)
    const json = (signature: string, said: string, content = body) =>
      verifyRequest('twilio', request(`${URL}&bodySHA256=${said}`, { 'x-twilio-signature': signature }, content), TOKEN)
    expect(String(json('a9nBmqA0ju/hNViExpshrM61xv4=', hash)?.document)).toBe(body)
    expect(json('a9nBmqA0ju/hNViExpshrM61xv4=', hash, `${body} `)).toBeUndefined()
    // The address is right, and says nothing of the body.
    const bare = createHmac('sha1', TOKEN).update(URL).digest('base64')
    expect(verifyRequest('twilio', request(URL, { 'x-twilio-signature': bare }, body), TOKEN)).toBeUndefined()
  })
})

describe('standard', () => {
  const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

  test('takes what its reference signs, and not five minutes later', () => {
    const at = new Date()
    const body = '{"test": 2432232314}'
    const signature = new Webhook(SECRET).sign('msg_1', at, body)
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signature,
    }
    const found = verifyRequest('standard', request('', headers, body), SECRET)
    expect([String(found?.document), found?.identity]).toEqual([body, 'msg_1'])
    expect(verifyRequest('standard', request('', headers, `${body} `), SECRET)).toBeUndefined()
    expect(verifyRequest('standard', request('', { ...headers, 'webhook-id': 'msg_2' }, body), SECRET)).toBeUndefined()
    expect(verifyRequest('standard', request('', {}, body), SECRET)).toBeUndefined()
    const old = new Date(at.getTime() - 6 * 60_000)
    const late = {
      ...headers,
      'webhook-timestamp': String(Math.floor(old.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign('msg_1', old, body),
    }
    expect(verifyRequest('standard', request('', late, body), SECRET)).toBeUndefined()
  })

  test('signs as its specification says', () => {
    // The example of the Standard Webhooks specification's reference libraries.
    const signed = new Webhook(SECRET).sign(
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      new Date(1_614_265_330_000),
      '{"test": 2432232314}',
    )
    expect(signed).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })
})

test('genesys signs the body, in base64 behind sha256=', () => {
  const body = '{"id":"m1","text":"Grüß Gott"}'
  // Made with: printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64
  const signature = `sha256=${createHmac('sha256', 'a-token-of-genesys').update(body).digest('base64')}`
  const asked = (said: string, content = body) =>
    verifyRequest('genesys', request('', { 'x-hub-signature-256': said }, content), 'a-token-of-genesys')
  expect(String(asked(signature)?.document)).toBe(body)
  expect(asked(signature, `${body} `)).toBeUndefined()
  expect(asked(signature.slice(0, -1))).toBeUndefined()
  expect(asked('')).toBeUndefined()
})

describe('eventbridge', () => {
  const event = (time: string) =>
    JSON.stringify({ version: '0', id: 'e1', 'detail-type': 'Call', source: 'dialer', time, detail: { id: 7 } })
  const asked = (key: string, body: string) =>
    verifyRequest('eventbridge', request('', { 'x-api-key': key }, body), 'a-key-of-the-connection')

  it('gives the detail of an event, of the last day', () => {
    const found = asked('a-key-of-the-connection', event('2026-03-01T09:59:00Z'))
    expect(String(found?.document)).toBe('{"id":7}')
    expect(asked('a-key-of-the-connection', event('2026-02-28T10:00:00Z'))).toBeDefined()
    for (const time of ['2026-02-27T10:00:00Z', '2026-03-01T10:30:00Z']) {
      expect(asked('a-key-of-the-connection', event(time))).toBeUndefined()
    }
    expect(asked('another-key-of-that', event('2026-03-01T09:59:00Z'))).toBeUndefined()
  })

  it('gives the whole of what an input transformer left', () => {
    expect(String(asked('a-key-of-the-connection', '{"call":1}')?.document)).toBe('{"call":1}')
    expect(asked('', '{"call":1}')).toBeUndefined()
  })
})
