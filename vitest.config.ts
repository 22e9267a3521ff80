import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const sources = fileURLToPath(new URL('src/', import.meta.url))
const compiled = fileURLToPath(new URL('dist/', import.meta.url))

/**
 * `npm test` has built everything: what `tsc` made of src/ is loaded by Node as it is, where 1,600 sources would be transformed for every
 * run, and called through an object. Plain `npx vitest`, while one works, reads the sources.
 */
const asBuilt: Plugin = {
  name: 'as built',
  enforce: 'pre',
  resolveId(name, importer) {
    if (importer === undefined || !/^\..*\.js$/.test(name)) return undefined
    const path = fileURLToPath(new URL(name, `file://${importer}`))
    return path.startsWith(sources) ? { id: compiled + path.slice(sources.length), external: true } : undefined
  },
}

/**
 * Where nothing is known of earlier runs, large files begin first. Those whose cases are in tables beside them are small and take long:
 * as the last they would run alone.
 */
class LargeFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    const isTable = ({ moduleId }: TestSpecification) => /(?:cases|contract)\.test\.ts$/.test(moduleId)
    return [...bySize.filter(isTable), ...bySize.filter(one => !isTable(one))]
  }
}

export default defineConfig(({ mode }) => ({
  plugins: mode === 'built' ? [asBuilt] : [],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    pool: 'forks',
    // Two cores, and tests with real processes wait much: with three a whole run takes 12.8 minutes where it takes 15 and more with two.
    maxWorkers: 3,
    sequence: { sequencer: LargeFirst },
    // Files share a process and what it has loaded: loading the sources for each of them anew took 40 s of a run. What outlives a file
    // in a module is only caches by value; a test that changes the clock or the environment puts it back.
    isolate: false,
    globalSetup: ['test/support/refuse-unbuilt.ts', 'test/support/filled-demos.ts'],
    // Only a hang takes so long, however busy the machine: a test that starts two dozen processes takes 30 s alone, and took over
    // three minutes where ten others wanted both cores. Tests have no limits of their own beside these.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    env: {
      // DuckDB holds one thread of libuv's pool per running query; the bin sets the same for the service.
      UV_THREADPOOL_SIZE: '16',
      // The engine of a store that is closed gives nothing back to the system: the next one asks for as much. It is a tenth to a
      // quarter of what files with stores take. Services that tests start do as bin/earshot.cjs says.
      DUCKDB_JE_MALLOC_CONF: 'dirty_decay_ms:-1,muzzy_decay_ms:-1',
      TZ: 'UTC',
    },
    // What is built is loaded as it is.
    server: { deps: { external: [/\/dist\//] } },
    restoreMocks: true,
    unstubEnvs: true,
  },
}))
