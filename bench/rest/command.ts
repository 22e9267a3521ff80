import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export const bin = join(process.cwd(), 'bin', 'earshot.cjs')

export const environment = (dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  EARSHOT_DATA_DIR: dataDir,
  EARSHOT_REQUESTS_PER_MINUTE: '1000000',
  EARSHOT_LOG_LEVEL: 'warn',
})

/** Runs the command to its end. @returns what it wrote on stdout, as the value it is */
export function earshot(dataDir: string, ...args: readonly string[]): Record<string, unknown> {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args, '--json'], {
    env: environment(dataDir),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`earshot ${args.join(' ')} failed: ${stderr}`)
  return JSON.parse(stdout)
}
