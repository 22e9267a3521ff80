import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { z } from 'zod'
import { bin, cleanEnvironment } from './run-earshot.js'

const readyLine = z.strictObject({
  api_url: z.url(),
  mcp_url: z.url(),
  mcp_endpoint: z.url(),
  project_id: z.string(),
  console_url: z.url().exactOptional(),
  application_key: z.string(),
  admin_token: z.string(),
})

/** The real service in a process of its own, as `earshot demo --json` starts it. */
export interface RunningService extends z.output<typeof readyLine> {
  readonly process: ChildProcess
  /** Everything written so far. */
  output(): { readonly stdout: string; readonly stderr: string }
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
}

interface StartOptions {
  readonly dataDir: string
  /** Sample calls the data directory is filled with, when it is new. */
  readonly calls?: number
  /** A new directory is filled by this start itself, under its own settings, and not copied from one that was filled before. */
  readonly fills?: boolean
  /** Further arguments of the command. */
  readonly more?: readonly string[]
  /** A free one by default. */
  readonly mcpPort?: string
  readonly env?: Readonly<Record<string, string>>
  /** The command as it is installed somewhere; the one of this tree by default. */
  readonly program?: string
}

/** Starts the demo on free ports, and resolves when it says it is ready. The caller ends it. */
export async function startService({
  dataDir,
  calls = 300,
  fills = false,
  more = [],
  mcpPort = '0',
  env = {},
  program = bin,
}: StartOptions): Promise<RunningService> {
  if (!fills && program === bin && !existsSync(join(dataDir, 'earshot.duckdb')))
    cpSync(await filledDirectory(calls), dataDir, { recursive: true })
  const where = ['--port', '0', '--mcp-port', mcpPort, '--data-dir', dataDir]
  const args = ['demo', '--json', ...where, '--calls', String(calls), ...more]
  const child = spawn(process.execPath, [program, ...args], {
    env: cleanEnvironment({ EARSHOT_LOG_FORMAT: 'json', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (stdout.includes('\n')) resolve(stdout)
    })
    closed.then(([code]) => reject(new Error(`the service ended with ${code} before it was ready:\n${stderr}`)), reject)
  })
  return {
    ...readyLine.parse(JSON.parse(line)),
    process: child,
    output: () => ({ stdout, stderr }),
    end: async (signal = 'SIGTERM') => {
      child.kill(signal)
      const [code, by] = await closed
      return { code, signal: by }
    },
  }
}

/**
 * A data directory that the demo filled and left, to be copied: filling one anew takes three seconds of processor, and thirty
 * tests want one. Each number of calls is made once a run, or twice where two files want it at the same time: few numbers are few fillings.
 */
async function filledDirectory(calls: number): Promise<string> {
  const folder = inject('filledDemos')
  const filled = join(folder, String(calls))
  if (existsSync(filled)) return filled
  const dataDir = mkdtempSync(join(folder, 'filling-'))
  const first = await startService({ dataDir, calls, fills: true })
  await first.end()
  try {
    renameSync(dataDir, filled)
  } catch {
    // Another was quicker.
    rmSync(dataDir, { recursive: true, force: true })
  }
  return filled
}
