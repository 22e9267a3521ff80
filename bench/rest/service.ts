import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { bin, environment } from './command.js'

export interface Service {
  readonly url: string
  /** CPU time used so far, in seconds, of all its threads. */
  cpuSeconds(): Promise<number>
  residentMiB(): Promise<number>
  stop(): Promise<void>
}

/** Clock ticks of /proc a second. */
const TICKS = 100

/** The real service over a data directory, on a free port. */
export async function startService(dataDir: string): Promise<Service> {
  const child = spawn(process.execPath, [bin, 'serve', '--json', '--port', '0'], {
    env: environment(dataDir),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve)
    child.once('exit', code => reject(new Error(`The service ended with ${code}`)))
  })
  const proc = async (file: string) => await readFile(`/proc/${child.pid}/${file}`, 'utf8')
  return {
    url: JSON.parse(line).api_url,
    cpuSeconds: async () => {
      // The name of the command, in parentheses, may hold spaces.
      const fields = (await proc('stat')).split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) / TICKS
    },
    residentMiB: async () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(await proc('status'))?.[1] ?? 0) / 1024),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
