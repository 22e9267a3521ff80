import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export const bin = fileURLToPath(new URL('../../bin/earshot.cjs', import.meta.url))
const bundledCli = new URL('../../dist/program/run-cli.js', import.meta.url).href

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

interface SpawnOptions extends RunOptions {
  /** Options of Node, before the program. */
  readonly node?: readonly string[]
}

/**
 * The environment of the tests without the settings of whoever runs them. The engine has one thread: two wait busily for each other, a
 * sixth of the processor time of a run. What hangs on several is tried in test/store and test/pipeline. And of the threads for what is
 * sent there are as few as may be: each is a second of processor where rubrics are read.
 */
export function cleanEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const foreign = /^(EARSHOT_|MCP_|HOST$|PORT$|UV_THREADPOOL_SIZE$|DUCKDB_|NODE_OPTIONS$|VITEST)/
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  return { ...Object.fromEntries(kept), EARSHOT_THREADS: '1', EARSHOT_WORK_THREADS: '2', ...more }
}

/**
 * Runs the real command to its end, in a process of its own: where a test is about the process, such as signals, pipes, its log, or
 * two commands at once. It costs half a second of processor more than `runEarshot`.
 */
export async function spawnEarshot(
  args: readonly string[],
  { env, input = '', node = [] }: SpawnOptions = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [...node, bin, ...args], { env: cleanEnvironment(env) })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.on('error', () => undefined).end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

/** Runs `earshot --version` to its end in a process of its own, after a script. */
export function versionAfter(script: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['-e', `${script}; require(${JSON.stringify(bin)})`, '--', bin, '--version'],
    { env: cleanEnvironment(), encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs the built command to its end in this process, one at a time, with its own standard streams, environment and exit code. Its
 * log is not in `stderr`: that goes past the stream, as it does when the process ends.
 */
export function runEarshot(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const run = last.then(() => runHere(args, options))
  last = run.catch(() => undefined)
  return run
}

async function runHere(args: readonly string[], { env, input = '' }: RunOptions): Promise<Outcome> {
  const { runCli } = (await import(/* @vite-ignore */ bundledCli)) as {
    runCli: (args: readonly string[]) => Promise<number>
  }
  const before = { env: process.env, stdin: process.stdin, exitCode: process.exitCode }
  const listening = SIGNALS.map(signal => [signal, process.listeners(signal)] as const)
  const stdout = captured(process.stdout)
  const stderr = captured(process.stderr)
  const { UV_THREADPOOL_SIZE = '' } = process.env
  process.env = { ...cleanEnvironment(env), UV_THREADPOOL_SIZE }
  process.exitCode = undefined
  replaceStdin(Readable.from(input === '' ? [] : [Buffer.from(input)]))
  try {
    return { code: await runCli(args), stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    stdout.end()
    stderr.end()
    process.env = before.env
    process.exitCode = before.exitCode
    replaceStdin(before.stdin)
    for (const [signal, listeners] of listening) {
      for (const one of process.listeners(signal)) if (!listeners.includes(one)) process.removeListener(signal, one)
    }
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

function replaceStdin(value: Readable): void {
  Object.defineProperty(process, 'stdin', { value, configurable: true, writable: true })
}

/** What is written to a stream of this process from now on, instead of being written. */
function captured(stream: NodeJS.WriteStream) {
  const write = stream.write.bind(stream)
  const written: Buffer[] = []
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    written.push(Buffer.from(chunk as string))
    const done = rest.findLast(one => typeof one === 'function')
    if (done) process.nextTick(done)
    return true
  }
  return { text: () => Buffer.concat(written).toString(), end: () => void (stream.write = write) }
}
