import { Webhook } from 'standardwebhooks'
import { expect, it, onTestFinished } from 'vitest'
import { SecretBox } from '../../../src/base/secret-box.js'
import { InboundWebhooks, newInboundWebhook } from '../../../src/ingest/inbound/inbound-webhooks.js'
import { connectStore } from '../../../src/store/mongodb/connect.js'
import { MongoStore } from '../../../src/store/mongodb/mongodb-store.js'
import { fakeServer } from '../../support/mongodb/fake-server.js'

it('what is sent to two processes at once is taken once, and no lease of it stays', async () => {
  const server = await fakeServer()
  onTestFinished(() => server.close())
  const box = new SecretBox(Buffer.alloc(32, 7).toString('base64url'))
  const process = async () => {
    const store = await MongoStore.open(await connectStore(server.url))
    onTestFinished(() => store.close())
    return await InboundWebhooks.load({ store: store.imports, sharing: store, box, clock: Date.now })
  }
  const first = await process()
  const { webhook_id: id, secret = '' } = await first.add(
    'p',
    newInboundWebhook.parse({ name: 'n', kind: 'standard' }),
    'ada',
  )
  const second = await process()
  const at = new Date()
  const headers: Record<string, string> = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, '{}'),
  }
  const request = {
    url: 'http://127.0.0.1/',
    header: (name: string) => headers[name],
    type: 'application/json',
    body: Buffer.from('{}'),
  }
  const taken = [first, second, first].map(one => {
    const webhook = one.find(id)!
    return one.take(webhook, one.verify(webhook, request)!, async () => 'taken')
  })
  expect((await Promise.all(taken)).filter(one => one === 'taken')).toHaveLength(1)
  expect(server.documents('leases').filter(one => JSON.stringify(one).includes(id))).toEqual([])
})
