/**
 * What answers cost the model that reads them, in tokens, over the demo: `npm run bench:tokens`. The table of docs/clients.md is its.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { bin } from './service/running-service.js'
import { measureTokens, medianTokens } from './tokens/measure-tokens.js'

const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
const demo = spawn(process.execPath, [bin, 'demo', '--json', '--port', '0', '--mcp-port', '0', '--data-dir', dataDir], {
  stdio: ['ignore', 'pipe', 'ignore'],
})
const ended = once(demo, 'exit')
try {
  const [line] = await Promise.race([once(demo.stdout.setEncoding('utf8'), 'data'), ended.then(() => [''])])
  const ready = z.object({ mcp_url: z.string(), application_key: z.string() }).parse(JSON.parse(String(line)))
  const client = new Client({ name: 'bench', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${ready.application_key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', ready.mcp_url), { requestInit }))
  const { costs, definitions, withAnswers } = await measureTokens(client)
  await client.close()
  const rows = costs.map(
    ({ tool, question, tokens }) => `| \`${tool}\` | ${question} | ${tokens.toLocaleString('en')} |`,
  )
  console.log(['| Tool | Question | Tokens |', '| --- | --- | ---: |', ...rows].join('\n'))
  console.log(`\np50 of the twelve: ${medianTokens(costs).toLocaleString('en')}`)
  console.log(
    `definitions: ${definitions.toLocaleString('en')}, with the schemas of answers ${withAnswers.toLocaleString('en')}`,
  )
} finally {
  demo.kill('SIGTERM')
  await ended
  rmSync(dataDir, { recursive: true, force: true })
}
