import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outputOf } from './output-of.mjs'

// Exact versions: another suite is another verdict.
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
// The suite needs a newer Node than the service.
const NODE = 'node@22.23.3'

/** Installs the official suite in a folder of its own, outside the repository. */
export async function installSuite() {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-conformance-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const npm = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, NODE, SUITE]
  const { code, text } = await outputOf('npm', npm, folder)
  if (code !== 0) {
    await remove()
    throw new Error(`The suite could not be installed:\n${text}`)
  }
  const modules = join(folder, 'node_modules')
  return {
    folder,
    node: join(modules, 'node', 'bin', 'node'),
    main: join(modules, '@modelcontextprotocol', 'conformance', 'dist', 'index.js'),
    remove,
  }
}
