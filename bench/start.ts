/**
 * How long commands and the service take to start, and what the idle service holds: `npm run bench:start -- [--rounds 10]`.
 * It measures the checkout it is run in, so that two can be compared in one go.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { bin, command, environment, startService } from './service/running-service.js'

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } })
const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))

/** Milliseconds until the first line of `earshot demo --json`, which says that it listens. */
async function demo(): Promise<number> {
  const begun = performance.now()
  const child = spawn(process.execPath, [bin, 'demo', '--json', '--calls', '200', '--data-dir', dataDir], {
    env: environment(dataDir),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const gone = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), gone.then(() => Promise.reject(new Error('the demo ended')))])
  const ms = performance.now() - begun
  child.kill('SIGTERM')
  await gone
  return ms
}

/** Milliseconds of a command. */
function run(...args: readonly string[]): number {
  const begun = performance.now()
  command(dataDir, args)
  return performance.now() - begun
}

/** Milliseconds until the service listens, and MiB it holds two seconds later. */
async function serve(): Promise<{ ms: number; mib: number }> {
  const service = await startService(dataDir)
  await pause(2000)
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))!
  await service.end('SIGTERM')
  return { ms: service.ms, mib: Number(kib) / 1024 }
}

const found: Record<string, number[]> = { version: [], 'tasks list': [], demo: [], serve: [], 'idle MiB': [] }
try {
  await demo()
  for (let round = 0; round < Number(options.rounds); round += 1) {
    found['version']!.push(run('--version'))
    found['tasks list']!.push(run('tasks', 'list', '--project', 'demo'))
    // oxlint-disable-next-line no-await-in-loop -- one after the other: they are measured
    found['demo']!.push(await demo())
    // oxlint-disable-next-line no-await-in-loop -- likewise
    const { ms, mib } = await serve()
    found['serve']!.push(ms)
    found['idle MiB']!.push(mib)
  }
} finally {
  rmSync(dataDir, { recursive: true })
}
for (const [name, values] of Object.entries(found)) {
  console.log(`${name.padEnd(12)} median ${Math.round(values.toSorted((a, b) => a - b)[values.length >> 1]!)}`)
}
