import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../support/start-server.js'
import { tempDir } from '../support/temp-dir.js'

/** Addresses of the TCP ports on which a process listens, as the kernel lists them; Linux only. */
function listening(pid: number): readonly string[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
      } catch {
        return []
      }
    }),
  )
  const LISTEN = '0A'
  const rows = ['tcp', 'tcp6'].flatMap(table => readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1))
  const found = rows.map(row => row.trim().split(/\s+/))
  return found.filter(([, , , state, ...rest]) => state === LISTEN && own.has(rest[5] ?? '')).map(row => row[1] ?? '')
}

test.skipIf(process.platform !== 'linux')('SIGUSR1 opens no debugger, and ends nothing', async () => {
  const server = await startServer(join(tempDir(), 'data'))
  onTestFinished(async () => void (await server.end()))
  const pid = server.process.pid!
  const before = listening(pid)
  expect(before).toHaveLength(2)
  process.kill(pid, 'SIGUSR1')
  // Node would say so on stderr, open the port in a thread of its own, and answer no later than it answers us.
  for (let i = 0; i < 20; i += 1) expect((await fetch(`${server.apiUrl}/health`)).status).toBe(200)
  expect(listening(pid)).toEqual(before)
  expect(server.log()).not.toMatch(/debugger/i)
})
