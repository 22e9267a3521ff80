/**
 * Checks the description of the REST API with tools of others: `npm run check:api`. Starts the service over an empty
 * directory, lints its /openapi.json with Redocly, and generates the types of a TypeScript client from it, which the
 * tests compile and use. With --write the generated types are kept; without, it fails when they are not those kept.
 *
 * The tools come from the registry at exact versions and stay out of the dependencies: they bring a second compiler.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const bin = fileURLToPath(new URL('../bin/earshot.cjs', import.meta.url))
const kept = fileURLToPath(new URL('../test/support/api-schema.d.ts', import.meta.url))
const LINTER = ['@redocly/cli@2.77.0']
// A warning fails too. Probes refuse nobody, so they have no failure of the 400s to describe; of all others the tests know which.
const LINTER_CONFIG =
  'extends: [recommended-strict]\nrules:\n  no-server-example.com: off\n  operation-4xx-response: off\n'
const GENERATOR = ['openapi-typescript@7.13.0', 'typescript@5.9.3']

const scratch = await mkdtemp(join(tmpdir(), 'earshot-api-'))
try {
  const document = join(scratch, 'openapi.json')
  await writeFile(document, await description(join(scratch, 'data')))
  const config = join(scratch, 'redocly.yaml')
  await writeFile(config, LINTER_CONFIG)
  run(LINTER, ['redocly', 'lint', document, '--config', config, '--format', 'stylish'])
  const made = join(scratch, 'schema.d.ts')
  run(GENERATOR, ['openapi-typescript', document, '--output', made])
  const types = `// Generated from /openapi.json by npm run check:api -- --write; do not edit.\n${await readFile(made, 'utf8')}`
  if (values.write) await writeFile(kept, types)
  else if (types !== (await readFile(kept, 'utf8'))) {
    throw new Error('test/support/api-schema.d.ts is not of this API any more: npm run check:api -- --write')
  }
  console.log('The description passes the linter, and the types of the client are those kept.')
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  await rm(scratch, { recursive: true, force: true })
}

/** What a service that was just started says of its API. */
async function description(dataDir) {
  const child = spawn(process.execPath, [bin, 'serve', '--json', '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, EARSHOT_LOG_LEVEL: 'warn' },
  })
  try {
    const line = await new Promise((resolve, reject) => {
      child.stdout.setEncoding('utf8').once('data', resolve)
      child.once('exit', code => reject(new Error(`The service ended with ${code}`)))
    })
    const { api_url: url } = JSON.parse(line)
    const response = await fetch(`${url}/openapi.json`)
    if (!response.ok) throw new Error(`/openapi.json answered ${response.status}`)
    return await response.text()
  } finally {
    const gone = child.exitCode === null ? once(child, 'exit') : undefined
    child.kill('SIGTERM')
    // Its directory is removed next.
    await gone
  }
}

function run(packages, command) {
  const from = packages.map(name => `--package=${name}`)
  const { status } = spawnSync('npm', ['exec', '--yes', ...from, '--', ...command], {
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  if (status !== 0) throw new Error(`${command[0]} found something wrong (exit code ${status})`)
}
