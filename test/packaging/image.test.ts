import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment } from '../support/run-earshot.js'
import { startServer } from '../support/start-server.js'
import { tempDir } from '../support/temp-dir.js'
import { isWhole } from '../support/whole.js'

/** The image as Docker would make it, without Docker: what .dockerignore lets in, what COPY says, and what is built of it. */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const linesOf = (name: string) => readFileSync(join(root, name), 'utf8').split('\n')
const {
  scripts,
  dependencies,
  files: published,
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: { readonly build: string }
  readonly dependencies: Readonly<Record<string, string>>
  readonly files: readonly string[]
}

interface Copy {
  /** The stage that it is taken from; undefined for the context. */
  readonly from: string | undefined
  readonly paths: readonly string[]
  readonly to: string
}

/** What the stages of the Dockerfile copy, first to last. */
function stages(): readonly (readonly Copy[])[] {
  const found: Copy[][] = []
  for (const line of linesOf('Dockerfile')) {
    if (line.startsWith('FROM ')) found.push([])
    const [, from, words] = /^COPY (?:--from=(\S+) )?(.+)$/.exec(line) ?? []
    if (words === undefined) continue
    const paths = words.split(' ')
    found.at(-1)?.push({ from, to: paths.pop() ?? '', paths })
  }
  return found
}

/** Whether a path, or something below it, is sent to whoever builds. */
function isInContext(path: string): boolean {
  const [all, ...excepted] = linesOf('.dockerignore').filter(line => line !== '' && !line.startsWith('#'))
  expect(all).toBe('*')
  const within = (one: string, other: string) => `${one}/`.startsWith(`${other}/`)
  return excepted.some(line => {
    expect(line).toMatch(/^![\w./-]+$/)
    const name = line.slice(1)
    return within(path, name) || within(name, path)
  })
}

/** Copies as COPY does: what is in a folder, or files into one. */
function copy({ paths, to }: Copy, home: string, target: string): void {
  for (const path of paths) {
    const into = to.endsWith('/') ? join(target, to, basename(path)) : join(target, to)
    mkdirSync(dirname(into), { recursive: true })
    const filter = (source: string) => home !== root || isInContext(relative(root, source))
    expect({ path, isThere: filter(join(home, path)) }).toEqual({ path, isThere: true })
    cpSync(join(home, path), into, { recursive: true, filter })
  }
}

const steps = scripts.build.split(' && ').map(step => step.split(' ') as [command: string, ...args: string[]])
const env = cleanEnvironment({
  PATH: `${join(root, 'node_modules', '.bin')}:${process.env['PATH']}`,
  // What runs tests says that it does, which would make another console.
  NODE_ENV: '',
})

/**
 * Runs `npm run build`, but for what `tsc` made of the same sources, which would take twice as long as all else: that is taken from this
 * tree.
 */
async function build(home: string): Promise<void> {
  mkdirSync(join(home, 'dist'))
  for (const name of readdirSync(join(root, 'dist'))) {
    if (name.startsWith('.') || published.includes(`dist/${name}`)) continue
    symlinkSync(join(root, 'dist', name), join(home, 'dist', name))
  }
  for (const [command, ...args] of steps) if (command !== 'tsc') await run(command, args, { cwd: home, env })
}

/** What `tsc` would compile, and how; reading the sources for it would take four times as long. */
async function compiledIn(home: string): Promise<unknown> {
  const [command = '', ...args] = steps.find(([name]) => name === 'tsc') ?? []
  const { stdout } = await run(command, [...args, '--showConfig'], { cwd: home, env, maxBuffer: 16 * 1024 * 1024 })
  const { compilerOptions, files } = JSON.parse(stdout) as Readonly<Record<string, unknown>>
  return { compilerOptions, files }
}

test.runIf(isWhole)('the image can be built of what is let into it, and what it holds serves', async () => {
  const [first = [], last = []] = stages()
  const [building, image] = [tempDir(), tempDir()]
  for (const one of first) copy(one, root, building)
  symlinkSync(join(root, 'node_modules'), join(building, 'node_modules'))
  expect(await compiledIn(building)).toEqual(await compiledIn(root))
  await build(building)
  for (const one of last) {
    if (one.paths.includes('/build/node_modules')) continue
    const paths = one.paths.map(path => path.replace(/^\/build\//, ''))
    copy({ ...one, paths }, one.from === 'build' ? building : root, image)
  }
  // Those that a build bundles are not there any more.
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(image, 'node_modules', name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(image, 'node_modules', name))
  }
  const server = await startServer(join(tempDir(), 'data'), {}, join(image, 'bin', 'earshot.cjs'))
  onTestFinished(async () => void (await server.end()))
  const { apiUrl, mcpUrl } = server
  expect((await fetch(`${apiUrl}/health`)).status).toBe(200)
  expect((await fetch(`${mcpUrl}/health`)).status).toBe(200)
  expect(await (await fetch(apiUrl)).text()).toContain('<script')
})
