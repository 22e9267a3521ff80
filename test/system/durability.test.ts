import { describe, expect, test } from 'vitest'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linesIn } from '../support/activity.js'
import { callTool, connectClient } from '../support/mcp-client.js'
import { runEarshot } from '../support/run-earshot.js'
import { startService } from '../support/start-service.js'
import { tempDir } from '../support/temp-dir.js'
import { isWhole } from '../support/whole.js'

describe('what was acknowledged', () => {
  test('survives a kill -9', async () => {
    const dataDir = join(tempDir(), 'data')
    const first = await startService({ dataDir, calls: 30 })
    const minted = await fetch(`${first.api_url}/projects/${first.project_id}/mcp-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.admin_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Kept' }),
    })
    const { key } = (await minted.json()) as { key: string }
    const page = join(tempDir(), 'lighthouse.md')
    writeFileSync(page, '# Lighthouse\n\nIts keeper sleeps at noon.\n')
    const imported = await runEarshot(['kb', 'import', page, '--project', first.project_id, '--data-dir', dataDir])
    expect(imported.code).toBe(0)
    await first.end('SIGKILL')

    const second = await startService({ dataDir, calls: 30 })
    const client = await connectClient(second.mcp_url, key)
    expect((await callTool(client, 'get_project_context')).volume.calls).toBe(30)
    const { items } = await callTool(client, 'query_knowledge_base', { query: 'lighthouse keeper' })
    expect(items[0]).toMatchObject({ title: 'Lighthouse' })
    const listening = await connectClient(second.mcp_url, key, '/sse')
    expect(await second.end('SIGINT')).toEqual({ code: 0, signal: null })
    await Promise.all([client.close(), listening.close()])

    const listed = await runEarshot(['keys', 'list', '--project', first.project_id, '--data-dir', dataDir, '--json'])
    expect(listed.code).toBe(0)
    expect(JSON.parse(listed.stdout).keys.map((one: { name: string }) => one.name)).toContain('Kept')
  })

  test.runIf(isWhole)('a loss that is accepted is on record', async () => {
    const dataDir = join(tempDir(), 'data')
    expect((await runEarshot(['project', 'create', 'shop', '--data-dir', dataDir])).code).toBe(0)
    for (const name of readdirSync(dataDir)) if (name.startsWith('earshot.duckdb')) rmSync(join(dataDir, name))
    const refused = await runEarshot(['project', 'list', '--data-dir', dataDir])
    expect(refused.code).toBe(1)
    const loss = /EARSHOT_ACCEPT_LOSS=(\S+)/.exec(refused.stderr)?.[1] ?? ''
    const accepted = { env: { EARSHOT_ACCEPT_LOSS: loss } }
    expect((await runEarshot(['project', 'list', '--data-dir', dataDir], accepted)).code).toBe(0)
    // Left behind, it accepts nothing and says nothing.
    expect((await runEarshot(['project', 'list', '--data-dir', dataDir], accepted)).code).toBe(0)
    const lines = (await linesIn(dataDir)) as unknown as readonly { page: string; request_id: string }[]
    expect(lines.filter(({ page }) => page === 'accept_loss')).toMatchObject([
      { request_id: `loss-${loss}`, source: 'operator', outcome: 'ok' },
    ])
  })
})
