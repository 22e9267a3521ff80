import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callTool, connectClient } from '../support/mcp-client.js'
import { runEarshot } from '../support/run-earshot.js'
import { smallDisk } from '../support/small-disk.js'
import { type RunningService, startService } from '../support/start-service.js'
import { isWhole } from '../support/whole.js'

async function start(options: Parameters<typeof startService>[0]): Promise<RunningService> {
  const service = await startService(options)
  onTestFinished(async () => void (await service.end('SIGKILL')))
  return service
}

function asking(service: RunningService) {
  const headers = { authorization: `Bearer ${service.application_key}` }
  return {
    get: async (path: string) => {
      const response = await fetch(`${service.api_url}${path}`, { headers })
      const text = await response.text()
      return { status: response.status, text, json: JSON.parse(text) }
    },
    importOne: async (id: string) => {
      const record = { session_id: id, agent_name: 'Ana', created_dt: '2026-03-01T12:00:00Z' }
      const response = await fetch(`${service.api_url}/api/v1/interactions`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
        body: `${JSON.stringify(record)}\n`,
      })
      return { status: response.status, text: await response.text() }
    },
    toolsReady: async () => {
      const response = await fetch(`${service.mcp_url}/ready`)
      return { status: response.status, json: await response.json() }
    },
  }
}

/** What an operator is told, a caller is not. */
const TELLS = /\/tmp|\/data|ENOSPC|EMFILE|\.jsonl|\.duckdb|at \w+ \(|select |insert /i

describe('a running service', () => {
  test.runIf(isWhole)(
    'on a disk that fills up answers 503 in plain words, says why at /ready, and goes on by itself',
    async context => {
      const disk = smallDisk(64)
      if (disk === undefined) return context.skip('mounting is not allowed here')
      const service = await start({ dataDir: join(disk.dir, 'data'), calls: 30 })
      const { get, importOne, toolsReady } = asking(service)
      expect((await importOne('before')).status).toBe(200)
      disk.fill()
      await expect.poll(async () => (await get('/api/v1/agents')).status).toBe(503)
      for (const { status, text } of [await get('/api/v1/agents'), await importOne('refused')]) {
        expect(status).toBe(503)
        expect(text).not.toMatch(TELLS)
      }
      const ready = { error: expect.stringMatching(/^Not ready: \w+ \(disk_full\)$/) }
      expect(await get('/ready')).toMatchObject({ status: 503, json: ready })
      expect(await toolsReady()).toMatchObject({ status: 503, json: { error: 'Not ready', cause: 'disk_full' } })
      disk.free()
      await expect.poll(async () => (await toolsReady()).status).toBe(200)
      expect((await importOne('after')).status).toBe(200)
      expect((await get('/api/v1/interactions/before')).status).toBe(200)
      expect((await get('/api/v1/interactions/after')).status).toBe(200)
    },
  )

  describe('that lives through much', () => {
    let service: RunningService
    const scratch = mkdtempSync(join(tmpdir(), 'earshot-faults-'))
    const dataDir = join(scratch, 'data')
    beforeAll(async () => {
      const clock = join(scratch, 'clock.mjs')
      writeFileSync(
        clock,
        `let back = 0
         const Real = Date
         process.on('SIGUSR2', () => { back = 3_600_000; process.stderr.write('set back\\n') })
         globalThis.Date = class extends Real {
           constructor(...given) { if (given.length === 0) super(Real.now() - back); else super(...given) }
           static now() { return Real.now() - back }
         }`,
      )
      const env = { NODE_OPTIONS: `--import=${clock}`, EARSHOT_REQUESTS_PER_MINUTE: '1000' }
      service = await startService({ dataDir, calls: 30, env })
      return async () => {
        await service.end('SIGKILL')
        rmSync(scratch, { recursive: true })
      }
    })

    test.skipIf(process.platform !== 'linux')(
      'without a free descriptor lives on, answers on the connections it has, and takes new ones later',
      async () => {
        const pid = String(service.process.pid)
        const limit = (descriptors: number) => execFileSync('prlimit', ['--pid', pid, `--nofile=${descriptors}:`])
        const { get, importOne } = asking(service)
        limit(readdirSync(`/proc/${pid}/fd`).length + 4)
        const sockets = Array.from({ length: 80 }, (_, n) => {
          const { hostname, port } = new URL(n % 2 === 0 ? service.api_url : service.mcp_url)
          return connect(Number(port), hostname).on('error', () => undefined)
        })
        await new Promise(resolve => setTimeout(resolve, 500))
        for (const socket of sockets) socket.destroy()
        limit(1_000)
        await expect.poll(async () => (await get('/ready')).status).toBe(200)
        expect((await importOne('after')).status).toBe(200)
        expect(service.process.exitCode).toBe(null)
      },
    )

    test('whose clock is set back by an hour goes on answering, in the order in which it was asked', async () => {
      const { get, importOne } = asking(service)
      expect((await importOne('ahead')).status).toBe(200)
      service.process.kill('SIGUSR2')
      await expect.poll(() => service.output().stderr).toContain('set back\n')
      expect((await importOne('behind')).status).toBe(200)
      expect((await get('/ready')).status).toBe(200)
      const client = await connectClient(service.mcp_url, service.application_key)
      const activity = await callTool(client, 'query_user_activity', {
        query_type: 'summary',
        start_date: '2020-01-01',
        end_date: '2199-01-01',
      })
      expect(activity.requests).toBeGreaterThanOrEqual(2)
      await client.close()
      expect(await service.end('SIGTERM')).toMatchObject({ code: 0 })
      // Whoever opens it next finds everything, and a trail that is whole.
      const again = await runEarshot(['call', 'behind', '--json', '--data-dir', dataDir])
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('"session_id":"behind"') })
      expect(await runEarshot(['audit', 'verify', '--data-dir', dataDir])).toMatchObject({ code: 0 })
    })
  })
})
