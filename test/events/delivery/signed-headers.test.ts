import { Webhook } from 'svix'
import { expect, test } from 'vitest'
import { signedHeaders } from '../../../src/events/delivery/dispatcher.js'

const secret = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`
const BODY = '{"id":"evt_1","data":{"title":"é \\" 日本"}}'

test('an independent library verifies the signature, with the new secret and with the old', () => {
  const headers = signedHeaders('evt_1', BODY, [secret(1), secret(2)], Date.now())
  for (const fill of [1, 2]) {
    expect(new Webhook(secret(fill)).verify(BODY, { ...headers })).toEqual(JSON.parse(BODY))
  }
  expect(() => new Webhook(secret(3)).verify(BODY, { ...headers })).toThrow('No matching signature found')
  expect(() => new Webhook(secret(1)).verify(`${BODY} `, { ...headers })).toThrow('No matching signature found')
  const other = { ...headers, 'webhook-id': 'evt_2' }
  expect(() => new Webhook(secret(1)).verify(BODY, other)).toThrow('No matching signature found')
})

test('an attempt is signed for its own time: what was recorded long ago is not taken again', () => {
  const headers = signedHeaders('evt_1', BODY, [secret(1)], Date.now() - 3_600_000)
  expect(() => new Webhook(secret(1)).verify(BODY, { ...headers })).toThrow('Message timestamp too old')
})
