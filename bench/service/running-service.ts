import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { mintAdminToken } from '../../src/access/mint-admin-token.js'

export const bin = join(process.cwd(), 'bin', 'earshot.cjs')

/** Of the services that benchmarks start; nobody else hears of them. */
export const ADMIN_SECRET = 'a secret of the benchmarks, long enough to be taken for one'

/** The environment of a service or command on this data directory, with limits that nothing here should reach. */
export function environment(dataDir: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return {
    ...process.env,
    EARSHOT_DATA_DIR: dataDir,
    EARSHOT_ADMIN_JWT_SECRET: ADMIN_SECRET,
    EARSHOT_REQUESTS_PER_MINUTE: '1000000',
    EARSHOT_MAX_KEYS_PER_PROJECT: '100000',
    EARSHOT_LOG_FORMAT: 'json',
    MCP_SERVER_ENABLED: '1',
    MCP_PORT: '0',
    PORT: '0',
    ...more,
  }
}

/** A SuperAdmin's token, for an hour. */
export function adminToken(): Promise<string> {
  return mintAdminToken(ADMIN_SECRET, { subject: 'bench', role: 'SuperAdmin' })
}

/** Runs a command to its end; what it said on stdout. Throws when it fails. */
export function command(
  dataDir: string,
  args: readonly string[],
  input = '',
  more?: Readonly<Record<string, string>>,
): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    env: environment(dataDir, more),
    encoding: 'utf8',
    input,
    maxBuffer: 1024 ** 3,
  })
  if (status !== 0) throw new Error(`earshot ${args.join(' ')} failed: ${stderr}`)
  return stdout
}

/** What a command says as JSON, however it ends. */
export function commandsAnswer(
  dataDir: string,
  args: readonly string[],
  more?: Readonly<Record<string, string>>,
): unknown {
  const { stdout } = spawnSync(process.execPath, [bin, ...args], { env: environment(dataDir, more), encoding: 'utf8' })
  return JSON.parse(stdout)
}

/** The real service in a process of its own. */
export interface RunningService {
  readonly apiUrl: string
  readonly mcpUrl: string
  readonly pid: number
  /** Milliseconds from its start until it listened. */
  readonly ms: number
  /** What it has logged so far. */
  log(): string
  /** Sends a signal and waits for the end; its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts `earshot serve`, without waiting for it. */
export function spawnService(
  dataDir: string,
  more?: Readonly<Record<string, string>>,
  program: string = bin,
): ChildProcess {
  return spawn(process.execPath, [program, 'serve'], {
    env: environment(dataDir, more),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** Starts `earshot serve` and resolves when it listens. */
export async function startService(
  dataDir: string,
  more?: Readonly<Record<string, string>>,
  program: string = bin,
): Promise<RunningService> {
  const started = performance.now()
  const child = spawnService(dataDir, more, program)
  const gone = once(child, 'exit')
  let log = ''
  const [apiUrl, mcpUrl] = await new Promise<readonly [string, string]>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      // A service that runs for an hour says more than anyone wants to keep.
      log = (log + piece).slice(-100_000)
      const found = /"api_url":"([^"]+)","mcp_url":"([^"]+)"/.exec(log)
      if (found !== null) resolve([found[1]!, found[2]!])
    })
    void gone.then(() => reject(new Error(`The service ended: ${log}`)))
  })
  return {
    apiUrl,
    mcpUrl,
    pid: child.pid!,
    ms: performance.now() - started,
    log: () => log,
    end: async signal => {
      child.kill(signal)
      const [code] = (await gone) as [number | null]
      return code
    },
  }
}
