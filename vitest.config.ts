import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    pool: 'forks',
    // Two cores: more workers only make the tests with real processes wait for each other (three took 16 and a half minutes where two take 13 and a half).
    maxWorkers: 2,
    // Files share a process and what it has loaded: loading the sources for each of them anew took 40 s of a run. What outlives a file
    // in a module is only caches by value; a test that changes the clock or the environment puts it back.
    isolate: false,
    globalSetup: ['test/support/refuse-unbuilt.ts', 'test/support/filled-demos.ts'],
    // Only a hang takes so long, however busy the machine: a test that starts two dozen processes takes 30 s alone, and took over
    // three minutes where ten others wanted both cores. Tests have no limits of their own beside these.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    // DuckDB holds one thread of libuv's pool per running query; the bin sets the same for the service.
    env: { UV_THREADPOOL_SIZE: '16', TZ: 'UTC' },
    // The bundle is what users get: loaded as it is, not made anew of its sources.
    server: { deps: { external: [/\/dist\/program\//] } },
    restoreMocks: true,
    unstubEnvs: true,
  },
})
