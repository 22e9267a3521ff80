import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { secretFile } from '../../src/access/secret-file.js'
import { generatedSecrets } from '../../src/access/secrets.js'
import { CHAIN_KEY_FILE } from '../../src/activity/chain-key.js'
import { checkAuditAnchor } from '../../src/cli/doctor/check-audit-anchor.js'
import { createLog } from '../../src/log.js'
import { anchorHeads } from '../../src/service/anchor-heads.js'
import { aTrail, anEvent } from '../support/activity.js'
import { tempDir } from '../support/temp-dir.js'

/** Takes what is posted; answers with the status that is said last. */
async function aReceiver() {
  const received: { readonly type: string | undefined; readonly head: object }[] = []
  const answer = { status: 204 }
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      if (answer.status < 300)
        received.push({ type: request.headers['content-type'], head: JSON.parse(text) as object })
      response.writeHead(answer.status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { received, answer, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/heads` }
}

test('heads are posted where webhooks may go, and doctor says how far they got', async () => {
  const dataDir = tempDir()
  const trail = await aTrail(dataDir, { chainSecret: await secretFile(join(dataDir, CHAIN_KEY_FILE)) })
  await trail.append(anEvent(1))
  await trail.close()
  const receiver = await aReceiver()
  const config = { storeUrl: 'duckdb:', dataDir, auditAnchorUrl: receiver.url, webhookAllowedRanges: ['127.0.0.0/8'] }
  const log = createLog({ level: 'silent', format: 'json' })
  const found = async () => (await checkAuditAnchor(config)).map(({ status, found: text }) => `${status}: ${text}`)
  const start = async (settings: Parameters<typeof anchorHeads>[0]) => {
    const anchor = await anchorHeads(settings, { secrets: generatedSecrets(dataDir), chain: undefined }, '1.2.3', log)
    onTestFinished(async () => await anchor?.close())
    return anchor
  }
  expect(await start({ dataDir, auditAnchorUrl: undefined, webhookAllowedRanges: undefined })).toBeUndefined()
  expect(await checkAuditAnchor({ storeUrl: 'duckdb:', dataDir, auditAnchorUrl: undefined })).toEqual([])
  expect(await found()).toEqual([
    expect.stringMatching(/^ok: signed heads that wait: 1, the oldest since .*none was taken yet$/),
  ])

  const forbidden = await start({ ...config, webhookAllowedRanges: undefined })
  await expect.poll(found).toEqual([expect.stringMatching(/^warn: no head is taken since .*\(address_not_allowed\)/)])
  await forbidden?.close()
  receiver.answer.status = 500
  const refused = await start(config)
  await expect.poll(found).toEqual([expect.stringMatching(/\(answered 500\); heads that wait: 1/)])
  await refused?.close()
  receiver.answer.status = 204
  await start(config)
  await expect.poll(found).toEqual([expect.stringMatching(/^ok: every signed head is anchored; the last was taken at/)])
  expect(receiver.received).toEqual([
    { type: 'application/json', head: expect.objectContaining({ segment: '0000000000000001.jsonl', last: 1 }) },
  ])
})
