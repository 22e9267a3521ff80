import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const AGENTS = 125
const bin = join(process.cwd(), 'bin', 'earshot.cjs')

/** Where the calls end, so that questions about dates find the same calls on every day. */
const END = '2026-11-21'

/**
 * Fills a data directory once with generated calls in projects of equal size, as a user would: from
 * `earshot generate` into `earshot import`. A directory that holds a store is left as it is.
 */
export async function fillStore(
  dataDir: string,
  calls: number,
  projects: readonly string[] = ['p1', 'p2', 'p3', 'p4'],
): Promise<void> {
  if (existsSync(join(dataDir, 'earshot.duckdb'))) return
  const env = { ...process.env, EARSHOT_DATA_DIR: dataDir, EARSHOT_LOG_LEVEL: 'warn' }
  for (const [i, project] of projects.entries()) {
    const started = performance.now()
    const created = spawnSync(process.execPath, [bin, 'project', 'create', project], { env, encoding: 'utf8' })
    if (created.status !== 0) throw new Error(created.stderr)
    // oxlint-disable-next-line no-await-in-loop -- one process may write
    await load(project, Math.round(calls / projects.length), i + 1, env)
    console.error(`${project} filled in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  }
}

async function load(project: string, calls: number, seed: number, env: NodeJS.ProcessEnv): Promise<void> {
  const options = ['--calls', String(calls), '--seed', String(seed), '--agents', String(AGENTS), '--end', END]
  const generate = spawn(process.execPath, [bin, 'generate', ...options], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const importing = spawn(process.execPath, [bin, 'import', '-', '--project', project], {
    env,
    stdio: [generate.stdout, 'ignore', 'inherit'],
  })
  const code = await new Promise<number | null>(resolve => importing.once('exit', resolve))
  if (code !== 0) throw new Error(`The import into ${project} ended with ${code}`)
}
