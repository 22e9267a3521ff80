import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callTool, connectClient } from '../support/mcp-client.js'
import { cleanEnvironment } from '../support/run-earshot.js'
import { startService } from '../support/start-service.js'
import { isWhole } from '../support/whole.js'

// The package as whoever installs it gets it: packed as for the registry, and installed where nothing of this tree is.

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'earshot-packed-'))
const prefix = join(scratch, 'prefix')
const home = join(prefix, 'lib', 'node_modules', 'earshot')
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** The oldest Node of `engines`, for npm: what it would refuse there it refuses here. */
const OLDEST = 'v20.19.0'
const asOldest = join(scratch, 'as-oldest.cjs')

let files: readonly string[]

beforeAll(async () => {
  await writeFile(asOldest, `Object.defineProperty(process, 'version', { value: '${OLDEST}' })`)
  const strict = ['--engine-strict', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', prefix]
  // Packed on the way, in the same process of npm; it is built already.
  await run('npm', ['install', '--global', ...strict, '--install-links', '--ignore-scripts', root], {
    env: cleanEnvironment({ NODE_OPTIONS: `--require=${asOldest}` }),
  })
  const installed = await readdir(home, { recursive: true, withFileTypes: true })
  files = installed
    .filter(one => one.isFile())
    .map(one => relative(home, join(one.parentPath, one.name)))
    .filter(path => !path.startsWith('node_modules/'))
})

describe('the package', () => {
  test.runIf(isWhole)('holds the program, the library and what their operator reads, and nothing else', () => {
    const folders = new Set(files.map(path => path.replace(/^(dist\/[^/]+|[^/]+)\/.*/, '$1/')))
    expect([...folders].toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin/',
      'dist/library/',
      'dist/program/',
      'dist/rubrics/',
      'dist/views/',
      'dist/web/',
      'docs/',
      'package.json',
      'packaging/',
      'rubrics/',
    ])
    // Each command is a piece of its own, with its map.
    expect(files.length).toBeLessThan(900)
  })

  test.runIf(isWhole)('names the licences of what is bundled', async () => {
    const text = await readFile(join(home, 'dist', 'program', 'third-party-licenses.txt'), 'utf8')
    expect(text).toMatch(/^fastify 5\.\S+ \(MIT\)$/m)
    expect(text).not.toMatch(/\(\)|undefined/)
  })
})

describe('earshot, installed globally as on the oldest Node it names', () => {
  test.runIf(isWhole)('answers a question', async () => {
    // Beside the store of the demo nothing is there but what npm put below the prefix.
    const program = join(home, 'bin', 'earshot.cjs')
    const service = await startService({ dataDir: join(scratch, 'data'), calls: 20, program })
    try {
      const client = await connectClient(service.mcp_url, service.application_key)
      expect(await callTool(client, 'search_calls', { limit: 1 })).toMatchObject({ count: 1, total: 20 })
      await client.close()
      const page = await (await fetch(service.api_url)).text()
      const [, script] = /<script[^>]+src="([^"]+)"/.exec(page) ?? []
      expect((await fetch(`${service.api_url}${script}`)).headers.get('content-type')).toMatch('text/javascript')
    } finally {
      expect(await service.end()).toEqual({ code: 0, signal: null })
    }
  })

  test.runIf(isWhole)('is on the path', async () => {
    const { stdout } = await run(join(prefix, 'bin', 'earshot'), ['doctor', '--help'], { env: cleanEnvironment() })
    expect(stdout).toContain('earshot doctor')
  })
})

const PROGRAM = `
import { runPipeline, Refusal, type PlainDocument } from 'earshot/pipeline'
const found: PlainDocument[] = await runPipeline(
  [{ $match: { at: { $gte: new Date('2026-01-01') } } }, { $group: { _id: '$k', n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
  [{ k: 'b', at: new Date() }, { k: 'a', at: new Date() }, { k: 'a', at: new Date(0) }, { k: 'a', at: new Date() }],
  { now: new Date(), limits: { stages: 10 } },
)
const refused = await runPipeline([{ $where: '1' }], []).catch((error: unknown) => error instanceof Refusal && error.message)
console.log(JSON.stringify({ found, refused }))
`

describe('earshot/pipeline', () => {
  const project = join(scratch, 'project')
  beforeAll(async () => {
    await mkdir(join(project, 'node_modules'), { recursive: true })
    await symlink(home, join(project, 'node_modules', 'earshot'))
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'scratch', type: 'module', private: true }))
  })

  test.runIf(isWhole)('runs where the package is installed', async () => {
    const program = join(project, 'program.mjs')
    const plain = PROGRAM.replace(', type PlainDocument', '').replaceAll(/: (PlainDocument\[\]|unknown)/g, '')
    await writeFile(program, plain)
    const { stdout } = await run(process.execPath, [program], { cwd: project })
    expect(JSON.parse(stdout)).toEqual({
      found: [
        { _id: 'a', n: 2 },
        { _id: 'b', n: 1 },
      ],
      refused: expect.stringMatching(/^pipeline\[0\]\.\$where: /) as string,
    })
  })

  test.runIf(isWhole)('comes with its types', async () => {
    await writeFile(join(project, 'program.ts'), `declare const console: { log(text: string): void }\n${PROGRAM}`)
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', '']
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = await run(process.execPath, [tsc, ...options, 'program.ts'], { cwd: project }).catch(
      (error: unknown) => error as { stdout: string },
    )
    expect(stdout).toBe('')
  })
})
