// Runs the tests on each version of Node that is supported, and says how each ended. The binaries are those of npm's package `node`,
// kept in a folder of the system's for temporary files. Arguments go through to Vitest:
//
//   npm run test:nodes                           everything: as often as there are versions as long as `npm test`
//   npm run test:nodes -- test/base test/store   less
//   NODES="24" npm run test:nodes                on this one alone
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The oldest of `engines`, and the lines with long-term support. */
const SUPPORTED = ['20.19.0', '22', '24']

const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = process.env['NODES']?.split(/[\s,]+/) ?? SUPPORTED
const ends = wanted.map(version => {
  const node = binaryOf(version)
  const shown = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  process.stdout.write(`\n== Node ${shown}\n`)
  // First on the path too: for what the tests start by `node`, `npm` or a line that begins with #!.
  const env = { ...process.env, PATH: dirname(node) + delimiter + process.env['PATH'] }
  const { status } = spawnSync(node, [join(root, 'scripts', 'run-tests.mjs'), ...process.argv.slice(2)], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  return { shown, passed: status === 0 }
})
process.stdout.write(
  `\n${ends.map(({ shown, passed }) => `Node ${shown}: ${passed ? 'passed' : 'failed'}\n`).join('')}`,
)
process.exitCode = ends.every(({ passed }) => passed) ? 0 : 1

/** The path of a version's binary, fetched when it is not there. */
function binaryOf(version) {
  const folder = join(tmpdir(), 'earshot-nodes', version)
  const node = join(folder, 'node_modules', 'node', 'bin', 'node')
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true })
    const install = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `node@${version}`]
    execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return node
}
