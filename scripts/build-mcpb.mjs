// Makes the bundle by which desktop clients install a connection to an Earshot (MCPB), and has its own tool check it:
//   npm run mcpb -- --out earshot.mcpb
// The client asks for the address and the key; docs/clients.md is its manual.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'rolldown'
import { questions } from '../dist/questions/questions.js'
import { listPackages } from './bundled-packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { name, version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const { values } = parseArgs({ options: { out: { type: 'string' } } })
if (values.out === undefined) {
  process.stderr.write('Say where to: --out FILE.mcpb\n')
  process.exit(2)
}
const out = resolve(values.out)
mkdirSync(dirname(out), { recursive: true })

/** As https://github.com/modelcontextprotocol/mcpb (MANIFEST.md) describes it. */
const manifest = {
  manifest_version: '0.3',
  name,
  display_name: 'Earshot',
  version,
  description,
  long_description:
    'Ask about your customer-service calls: what customers call about, how agents are doing, what changed, what was said. Connects to an Earshot that your company runs; what you hear is what your key may hear.',
  author: { name: 'Earshot' },
  license,
  server: {
    type: 'node',
    entry_point: 'server/bridge.mjs',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/bridge.mjs'],
      env: { EARSHOT_URL: '${user_config.url}', EARSHOT_KEY: '${user_config.key}' },
    },
  },
  user_config: {
    url: {
      type: 'string',
      title: 'Address',
      description: 'Of the tool server, such as https://calls.example.com/mcp',
      default: 'http://127.0.0.1:8001/mcp',
      required: true,
    },
    key: {
      type: 'string',
      title: 'Application key',
      description: 'Begins with esk_; an administrator of Earshot makes one for you',
      sensitive: true,
      required: true,
    },
  },
  tools: questions.map(({ name: tool, title }) => ({ name: tool, description: title })),
  // What a key may not ask is not listed.
  tools_generated: true,
  compatibility: { runtimes: { node: '>=20' } },
}

const folder = mkdtempSync(join(tmpdir(), 'earshot-mcpb-'))
const mcpb = (...args) =>
  execFileSync(
    process.execPath,
    [join(root, 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js'), ...args],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
try {
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const { output } = await build({
    cwd: root,
    input: { bridge: 'packaging/mcpb/bridge.ts' },
    platform: 'node',
    output: { dir: join(folder, 'server'), entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
    logLevel: 'silent',
  })
  listPackages(
    join(folder, 'server'),
    output.flatMap(chunk => (chunk.type === 'chunk' ? chunk.moduleIds : [])),
  )
  mcpb('validate', join(folder, 'manifest.json'))
  mcpb('pack', folder, out)
  process.stdout.write(mcpb('info', out))
} catch (error) {
  process.stderr.write(`${error.stdout ?? ''}${error.stderr ?? error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
