import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    pool: 'forks',
    // Two cores: more workers only make the tests with real processes wait for each other.
    maxWorkers: 2,
    // Files share a process and what it has loaded: loading the sources for each of them anew took 40 s of a run. What outlives a file
    // in a module is only caches by value; a test that changes the clock or the environment puts it back.
    isolate: false,
    // Only a hang takes so long: a test that starts a dozen processes takes 10 s, and 40 s where others take both cores.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What a test waits for by looking takes longer than the default second on a busy machine. Only a hang takes so long.
    expect: { poll: { timeout: 30_000 } },
    // DuckDB holds one thread of libuv's pool per running query; the bin sets the same for the service.
    env: { UV_THREADPOOL_SIZE: '16', TZ: 'UTC' },
    restoreMocks: true,
    unstubEnvs: true,
  },
})
