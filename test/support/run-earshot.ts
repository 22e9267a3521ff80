import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const bin = fileURLToPath(new URL('../../bin/earshot.cjs', import.meta.url))

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

/** The environment of the tests without the settings of whoever runs them. */
export function cleanEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const foreign = /^(EARSHOT_|MCP_|HOST$|PORT$|UV_THREADPOOL_SIZE$|NODE_OPTIONS$|VITEST)/
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  return { ...Object.fromEntries(kept), ...more }
}

/** Runs the real command to its end. */
export async function runEarshot(args: readonly string[], { env, input = '' }: RunOptions = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [bin, ...args], { env: cleanEnvironment(env) })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.on('error', () => undefined).end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}
