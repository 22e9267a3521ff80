import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// The library as whoever installs the package gets it: packed, unpacked in a project of its own, asked for by its name.

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const project = mkdtempSync(join(tmpdir(), 'earshot-packed-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', project], {
    cwd: root,
  })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  const home = join(project, 'node_modules', 'earshot')
  await mkdir(home, { recursive: true })
  await run('tar', ['-xzf', join(project, filename), '-C', home, '--strip-components=1'])
  // What it depends on, without fetching it again.
  await symlink(join(root, 'node_modules'), join(home, 'node_modules'))
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'scratch', type: 'module', private: true }))
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
  test('runs where the package is installed', async () => {
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

  test('comes with its types', async () => {
    await writeFile(join(project, 'program.ts'), `declare const console: { log(text: string): void }\n${PROGRAM}`)
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      '',
      '--skipLibCheck',
    ]
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = await run(process.execPath, [tsc, ...options, 'program.ts'], { cwd: project }).catch(
      (error: unknown) => error as { stdout: string },
    )
    expect(stdout).toBe('')
  })
})
