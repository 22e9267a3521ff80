import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { entryFile } from '../../src/base/entry-file.js'
import { spawnEarshot } from '../support/run-earshot.js'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts'))
  .map(path => ({ path, text: readFileSync(join('src', path), 'utf8') }))

/** What threads and processes of their own begin with. */
const entries = [
  'copy-in-child.js',
  'evaluate-documents.js',
  'evaluate-in-worker.js',
  'evaluate-rest.js',
  'fit-lift-in-worker.js',
  'prepare-in-worker.js',
  'read-formatted.js',
  'tenant-work.js',
  'verify-in-worker.js',
]

describe('the bundled program', () => {
  test('has a file of its own for each thread and process', () => {
    const named = sources.flatMap(({ text }) =>
      [...text.matchAll(/entryFile\(import\.meta\.url, '\.\/(.*)'\)/g)].map(([, name]) => name),
    )
    expect(new Set(named)).toEqual(new Set(entries))
    expect(entries.filter(name => !existsSync(join('dist/program', name)))).toEqual([])
  })

  test('finds files by their place nowhere else, but for the package’s own', () => {
    const byPlace = sources.filter(({ text }) =>
      text.replaceAll(/entryFile\(import\.meta\.url,/g, '').includes('import.meta'),
    )
    expect(byPlace.map(({ path }) => path)).toEqual([
      'base/built-folder.ts',
      'base/entry-file.ts',
      'base/worker-threads.ts',
      'cli/version.ts',
      'evaluation/rubric/compiled-file.ts',
    ])
    expect(sources.filter(({ text }) => /new Worker\(|__dirname|createRequire/.test(text))).toEqual([])
  })

  test('is where what is run from source or compiled looks for it, and where it is installed', () => {
    for (const path of ['src/store/rest-pool.ts', 'dist/store/rest-pool.js']) {
      const found = entryFile(pathToFileURL(path).href, './evaluate-rest.js')
      expect(found).toBe(join(process.cwd(), 'dist/program/evaluate-rest.js'))
    }
    expect(entryFile('file:///opt/earshot/dist/program/store-1.js', './evaluate-rest.js')).toBe(
      '/opt/earshot/dist/program/evaluate-rest.js',
    )
  })

  test('names the source in a stack trace', async () => {
    const { code, stderr } = await spawnEarshot(['generate', '--calls', '20', '--report', '/dev/null/report'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/\/src\/cli\/generate\.ts:\d+:\d+\)?\n/)
    expect(stderr).not.toContain('dist/program')
  })

  test('calls what threads run by its own name', async () => {
    for (const name of entries.filter(entry => entry !== 'copy-in-child.js')) {
      const exported = (await import(pathToFileURL(join('dist/program', name)).href)) as Record<string, unknown>
      const own = basename(name, '.js').replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
      expect(exported[own]).toHaveProperty('name', own)
    }
  })
})
