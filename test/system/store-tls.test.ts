import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeServer, fakeServer } from '../support/mongodb/fake-server.js'
import { runEarshot, spawnEarshot } from '../support/run-earshot.js'
import { startServer } from '../support/start-server.js'
import { OTHER_TLS_CERT, TLS_CERT, TLS_KEY } from '../support/tls.js'
import { isWhole } from '../support/whole.js'

/** The real command over a store that listens with TLS, on a fake of a server. What each fault is called is in `test/store/mongodb/tls.test.ts`. */

const scratch = mkdtempSync(join(tmpdir(), 'earshot-store-tls-'))
const [ca, otherCa] = [join(scratch, 'ca.pem'), join(scratch, 'other-ca.pem')]
let server: FakeServer

beforeAll(async () => {
  writeFileSync(ca, TLS_CERT)
  writeFileSync(otherCa, OTHER_TLS_CERT)
  server = await fakeServer({ tls: { key: TLS_KEY, cert: TLS_CERT } })
})

afterAll(async () => {
  await server.close()
  rmSync(scratch, { recursive: true })
})

const settings = (file: string) => ({
  EARSHOT_STORE_URL: `${server.url}&tls=true&tlsCAFile=${file}&serverSelectionTimeoutMS=500`,
  EARSHOT_SECRET: 'what all processes of this store are told',
})

test.runIf(isWhole)('is filled by commands, and asked by the server that comes next', async () => {
  const done = async (args: readonly string[], input = '') => {
    const { code, stdout, stderr } = await runEarshot([...args, '--data-dir', join(scratch, 'first'), '--json'], {
      env: settings(ca),
      input,
    })
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  await done(['project', 'create', 'shop'])
  const { stdout: calls } = await runEarshot(['generate', '--calls', '20'])
  expect(await done(['import', '-', '--project', 'shop'], calls)).toMatchObject({ stored: 20 })
  const { key } = await done(['keys', 'mint', '--project', 'shop', '--name', 'k'])
  const next = await startServer(join(scratch, 'next'), settings(ca))
  const answer = await fetch(`${next.apiUrl}/api/v1/summary`, { headers: { authorization: `Bearer ${key}` } })
  expect(await answer.json()).toMatchObject({ calls: 20, evaluated: 20 })
  expect(await next.end()).toEqual({ code: 0, signal: null })
})

describe('whose certificate is of another authority than the address says', () => {
  const said = () =>
    `The store at ${new URL(server.url).host}/earshot does not answer: its certificate is of no authority that is trusted here; tlsCAFile in the address names a file with the certificate of the one that it is of`

  test('is not served from, and the start says so in one line', async () => {
    const args = ['serve', '--port', '0', '--mcp-port', '0', '--data-dir', join(scratch, 'refused')]
    const { code, stdout, stderr } = await spawnEarshot(args, { env: settings(otherCa) })
    expect([code, stdout, JSON.parse(stderr)]).toMatchObject([1, '', { level: 'fatal', msg: said() }])
  })

  test('nor is it for earshot doctor', async () => {
    const args = ['doctor', '--port', '0', '--mcp-port', '0', '--data-dir', join(scratch, 'doctor')]
    const { code, stdout } = await runEarshot(args, { env: settings(otherCa) })
    expect(code).toBe(1)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`fail Store ${said()}`)
  })
})
