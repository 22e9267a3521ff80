import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import { bin, cleanEnvironment } from './run-earshot.js'

const ready = z.object({ api_url: z.string(), mcp_url: z.string().optional() })

export interface RunningServer {
  readonly process: ChildProcess
  readonly apiUrl: string
  readonly mcpUrl: string
  log(): string
  end(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
}

/**
 * `earshot serve` on free ports over a data directory, when it is ready. The caller ends it.
 * @param program the command as it is installed somewhere; the one of this tree by default
 */
export async function startServer(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  program: string = bin,
): Promise<RunningServer> {
  const args = ['serve', '--json', '--mcp', '--port', '0', '--mcp-port', '0', '--data-dir', dataDir]
  const child = spawn(process.execPath, [program, ...args], {
    env: cleanEnvironment({ EARSHOT_LOG_FORMAT: 'json', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('\n')) resolve(said)
    })
    closed.then(([code]) => reject(new Error(`the server ended with ${code} before it was ready:\n${log}`)), reject)
  })
  const { api_url: apiUrl, mcp_url: mcpUrl = '' } = ready.parse(JSON.parse(line))
  return {
    process: child,
    apiUrl,
    mcpUrl,
    log: () => log,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal)
      const [code, by] = await closed
      return { code, signal: by }
    },
  }
}
