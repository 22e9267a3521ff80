import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Two cores: more workers only make the tests with real processes wait for each other.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // DuckDB holds one thread of libuv's pool per running query; the bin sets the same for the service.
    env: { UV_THREADPOOL_SIZE: '16', TZ: 'UTC' },
    restoreMocks: true,
    unstubEnvs: true,
  },
})
