import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type RunningService, startService } from '../support/start-service.js'

/** The bundle that desktop clients install, unpacked and started as its manifest says. */

const root = join(import.meta.dirname, '..', '..')
const scratch = mkdtempSync(join(tmpdir(), 'earshot-mcpb-'))
const unpacked = join(scratch, 'unpacked')
const manifestSchema = z.object({
  tools: z.array(z.object({ name: z.string() })),
  server: z.object({
    mcp_config: z.object({ command: z.string(), args: z.array(z.string()), env: z.record(z.string(), z.string()) }),
  }),
  user_config: z.object({ key: z.object({ sensitive: z.literal(true) }), url: z.object({ default: z.string() }) }),
})

let service: RunningService
let manifest: z.infer<typeof manifestSchema>
beforeAll(async () => {
  const bundle = join(scratch, 'earshot.mcpb')
  execFileSync(process.execPath, ['scripts/build-mcpb.mjs', '--out', bundle], { cwd: root, stdio: 'pipe' })
  const tool = join(root, 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js')
  execFileSync(process.execPath, [tool, 'unpack', bundle, unpacked], { stdio: 'pipe' })
  manifest = manifestSchema.parse(JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8')))
  service = await startService({ dataDir: join(scratch, 'data'), calls: 30 })
})
afterAll(async () => {
  await service.end()
  rmSync(scratch, { recursive: true })
})

/** Starts the bundle's server with what its user would have filled in. */
function started(config: { readonly url: string; readonly key: string }) {
  const { args, env } = manifest.server.mcp_config
  const filled = (text: string) =>
    text
      .replaceAll('${__dirname}', unpacked)
      .replaceAll('${user_config.url}', config.url)
      .replaceAll('${user_config.key}', config.key)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: args.map(filled),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
    stderr: 'pipe',
  })
  let told = ''
  transport.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString()))
  const client = new Client({ name: 'desktop', version: '1' })
  return { client, told: () => told, connecting: client.connect(transport) }
}

test('lists the tools that its manifest names, and answers', async () => {
  const { client, connecting } = started({ url: `${service.mcp_url}/mcp`, key: service.application_key })
  await connecting
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(manifest.tools.map(({ name }) => name))
  const { structuredContent } = await client.callTool({ name: 'get_project_context', arguments: {} })
  expect(structuredContent).toMatchObject({ volume: { calls: 30 } })
  await client.close()
})

test('says why it can’t connect, and never the key', async () => {
  const secret = `${service.application_key.slice(0, -4)}AAAA`
  const wrongs: (readonly [{ readonly url: string; readonly key: string }, RegExp])[] = [
    [{ url: `${service.mcp_url}/mcp`, key: secret }, /refuses the key: it may have been revoked/],
    [{ url: 'http://127.0.0.1:1/mcp', key: secret }, /127\.0\.0\.1:1 can’t be reached/],
    [{ url: `${service.mcp_url}/other`, key: service.application_key }, /is the path \/other right\?/],
  ]
  for (const [config, reason] of wrongs) {
    const { connecting, told } = started(config)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const error = await connecting.then(
      () => 'connected',
      (refused: unknown) => (refused as Error).message,
    )
    expect(error).toMatch(reason)
    expect(`${error}${told()}`).not.toContain(config.key)
  }
  const { connecting, told } = started({ url: 'calls.example.com', key: secret })
  await expect(connecting).rejects.toThrow(/closed/i)
  await expect.poll(told).toContain('The address of Earshot is one such as https://calls.example.com/mcp')
})
