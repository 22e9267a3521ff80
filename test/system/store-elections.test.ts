import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fakeReplicaSet } from '../support/mongodb/fake-replica-set.js'
import { runEarshot } from '../support/run-earshot.js'
import { startServer } from '../support/start-server.js'
import { isWhole } from '../support/whole.js'

/** The real service on a replica set of fakes whose primary changes while calls come in and questions are asked. */

test.runIf(isWhole)('a primary that changes under a running service costs no call that was acknowledged', async () => {
  const set = await fakeReplicaSet()
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-elections-'))
  const env = { EARSHOT_STORE_URL: set.url, EARSHOT_SECRET: 'what all processes of this store are told' }
  await runEarshot(['project', 'create', 'shop', '--data-dir', dataDir], { env })
  const mint = ['keys', 'mint', '--project', 'shop', '--name', 'k', '--json']
  const { key } = JSON.parse((await runEarshot([...mint, '--data-dir', dataDir], { env })).stdout)
  const server = await startServer(dataDir, env)
  onTestFinished(async () => {
    await server.end()
    await set.close()
    rmSync(dataDir, { recursive: true })
  })
  const headers = { authorization: `Bearer ${key}` }
  const acknowledged: string[] = []
  const refusals: string[] = []
  for (let n = 0; n < 12; n += 1) {
    if (n % 4 === 1) {
      if (n % 8 === 1) set.stepDown()
      else set.kill()
      setTimeout(() => set.elect(), 1_000)
    }
    const record = { session_id: `during-${n}`, agent_name: 'Ana', created_dt: '2026-03-01T12:00:00Z' }
    // oxlint-disable no-await-in-loop -- one after the other
    const answer = await fetch(`${server.apiUrl}/api/v1/interactions`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: `${JSON.stringify(record)}\n`,
    })
    const asked = await fetch(`${server.apiUrl}/api/v1/summary`, { headers })
    for (const one of [answer, asked]) if (one.status !== 200) refusals.push(`${one.status} ${await one.text()}`)
    // oxlint-enable no-await-in-loop
    if (answer.status === 200) acknowledged.push(record.session_id)
  }
  // What is refused says why.
  expect(refusals.filter(one => !/^503 .*(store at|audit trail)/.test(one))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(6)
  const there = set.documents('facts').map(one => one['session_id'])
  expect(there).toEqual(expect.arrayContaining(acknowledged))
  expect(new Set(there).size).toBe(there.length)
  const after = await fetch(`${server.apiUrl}/ready`)
  expect(after.status).toBe(200)
})
