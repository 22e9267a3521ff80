import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runEarshot, spawnEarshot } from '../support/run-earshot.js'
import { startServer } from '../support/start-server.js'
import { tempDir } from '../support/temp-dir.js'
import { isWhole } from '../support/whole.js'

/** A port that another process has. */
let port: number
beforeAll(async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  port = (other.address() as AddressInfo).port
  return () => void other.close()
})

describe('a start that is refused', () => {
  test.each<readonly [string, () => Readonly<Record<string, string>>, () => string]>([
    ['a port that is taken', () => ({ PORT: String(port) }), () => `Port ${port} on 127.0.0.1 is in use`],
    ['the other one', () => ({ MCP_PORT: String(port) }), () => `Port ${port} on 127.0.0.1 is in use`],
    [
      'an address of another machine',
      () => ({ HOST: '192.0.2.1', EARSHOT_ALLOWED_HOSTS: 'calls.example.com' }),
      () => 'This machine has no address 192.0.2.1. Set HOST.',
    ],
    [
      'a certificate that is not there',
      () => ({ EARSHOT_TLS_CERT: '/no/cert.pem', EARSHOT_TLS_KEY: '/no/key.pem' }),
      () => "EARSHOT_TLS_CERT: /no/cert.pem can't be read (ENOENT)",
    ],
    [
      'a mapping that is not there',
      () => ({
        EARSHOT_SSO_ISSUER: 'https://id.example.com',
        EARSHOT_SSO_CLIENT_ID: 'earshot',
        EARSHOT_SSO_MAPPING: '/no/sso.yaml',
        EARSHOT_PUBLIC_URL: 'https://calls.example.com',
      }),
      () => '/no/sso.yaml',
    ],
  ])('for %s is so before a store is made or brought to another version', async (_, env, why) => {
    const dataDir = join(tempDir(), 'data')
    const args = ['serve', '--mcp', '--data-dir', dataDir]
    const given = { PORT: '0', MCP_PORT: '0', EARSHOT_LOG_FORMAT: 'pretty', ...env() }
    const { code, stderr } = await runEarshot(args, { env: given })
    expect({ code: code === 0, stderr }).toEqual({ code: false, stderr: expect.stringContaining(why()) })
    expect(existsSync(dataDir)).toBe(false)
  })

  test('because the same server runs already says which process that is', async () => {
    const dataDir = tempDir()
    const server = await startServer(dataDir)
    onTestFinished(async () => void (await server.end()))
    const { port: taken } = new URL(server.apiUrl)
    const again = await runEarshot(['serve', '--port', taken, '--data-dir', dataDir], {
      env: { EARSHOT_LOG_FORMAT: 'pretty' },
    })
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`is in use by process ${server.process.pid} (earshot serve)`),
    })
  })

  test.runIf(isWhole)('is told by the log of machines, as its last line and no other way', async () => {
    const dataDir = join(tempDir(), 'data')
    const args = ['serve', '--port', String(port), '--data-dir', dataDir]
    for (const env of [{}, { EARSHOT_LOG_FORMAT: 'json' }]) {
      const { code, stdout, stderr } = await spawnEarshot(args, { env })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      const lines = stderr
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as object)
      expect(lines.at(-1)).toEqual({
        level: 'fatal',
        time: expect.any(String),
        msg: `Port ${port} on 127.0.0.1 is in use by another process. Stop it, or set PORT.`,
      })
    }
  })
})
