import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { callTool, connectClient } from '../support/mcp-client.js'
import { runEarshot } from '../support/run-earshot.js'
import { startServer } from '../support/start-server.js'
import { startService } from '../support/start-service.js'
import { tempDir } from '../support/temp-dir.js'
import { isWhole } from '../support/whole.js'

test('documents imported on the command line are found by clients of the service', async () => {
  const dataDir = join(tempDir(), 'data')
  const folder = tempDir()
  writeFileSync(join(folder, 'refunds.md'), '# Refunds\n\nA refund takes five days.\n')
  writeFileSync(join(folder, 'broken.pdf'), '%PDF-1.4 and nothing else')
  const kb = (...args: string[]) => runEarshot(['kb', ...args, '--project', 'demo', '--data-dir', dataDir, '--json'])

  const service = await startService({ dataDir, calls: 30 })
  onTestFinished(async () => void (await service.end()))
  // The demo's own pages.
  for (const { kb_id } of JSON.parse((await kb('list')).stdout).documents) await kb('remove', kb_id)
  expect(JSON.parse((await kb('list')).stdout)).toEqual({ documents: [] })
  const asked = await connectClient(service.mcp_url, service.application_key)
  const find = () => callTool(asked, 'query_knowledge_base', { query: 'how long do refunds take' })
  expect(await find()).toEqual({ error: 'Knowledge base not configured for this project' })

  const imported = await kb('import', folder, '--url-base', 'https://help.example.com')
  expect(JSON.parse(imported.stdout)).toMatchObject({
    project_id: 'demo',
    imported: 1,
    sections: 1,
    failed: [{ name: 'broken.pdf' }],
  })
  expect(await kb('import', folder, '--url-base', 'file:///etc')).toMatchObject({ code: 2, stdout: '' })
  const { documents } = JSON.parse((await kb('list')).stdout)
  expect(documents).toMatchObject([{ name: 'refunds.md', title: 'Refunds', sections: 1 }])

  expect(await find()).toMatchObject({
    items: [{ title: 'Refunds', url: 'https://help.example.com/refunds.md' }],
    count: 1,
  })
  await asked.close()
  await service.end()

  // That a service that begins later finds them is in durability.test.ts.
  expect(JSON.parse((await kb('remove', documents[0].kb_id)).stdout)).toMatchObject({ removed: true })
  expect(await kb('remove', documents[0].kb_id)).toMatchObject({ code: 1 })
})

test.runIf(isWhole)('an endpoint for vectors that hangs does not hold up the end of the service', async () => {
  let asked = 0
  const endpoint = createServer(() => (asked += 1)).listen(0, '127.0.0.1')
  onTestFinished(() => {
    endpoint.closeAllConnections()
    endpoint.close()
  })
  await once(endpoint, 'listening')
  const dataDir = join(tempDir(), 'data')
  const folder = tempDir()
  writeFileSync(join(folder, 'refunds.md'), '# Refunds\n\nA refund takes five days.\n')
  await runEarshot(['project', 'create', 'p', '--data-dir', dataDir])
  const imported = await runEarshot(['kb', 'import', folder, '--project', 'p', '--data-dir', dataDir])
  expect(imported).toMatchObject({ code: 0 })

  const { port } = endpoint.address() as AddressInfo
  const env = { EARSHOT_EMBEDDINGS_URL: `http://127.0.0.1:${port}/v1`, EARSHOT_EMBEDDINGS_MODEL: 'm' }
  const service = await startServer(dataDir, env)
  onTestFinished(() => void service.process.kill('SIGKILL'))
  await expect.poll(() => asked).toBe(1)
  const begun = performance.now()
  expect(await service.end()).toEqual({ code: 0, signal: null })
  // The request would have had a minute.
  expect(performance.now() - begun).toBeLessThan(50_000)
})
