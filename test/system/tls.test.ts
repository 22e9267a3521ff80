import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect as connectPlain, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callTool, connectClient, ways } from '../support/mcp-client.js'
import { runEarshot, spawnEarshot } from '../support/run-earshot.js'
import { type RunningService, startService } from '../support/start-service.js'
import {
  ENDED_TLS_CERT,
  ENDED_TLS_KEY,
  OTHER_TLS_CERT,
  OTHER_TLS_KEY,
  TLS_CERT,
  TLS_KEY,
  SHORT_TLS_CERT,
  SHORT_TLS_KEY,
  UNAGREED_TLS_CERT,
  UNAGREED_TLS_KEY,
} from '../support/tls.js'
import { isWhole } from '../support/whole.js'

// Both listeners over TLS, as real clients reach them: the official one by every transport, the command, and whoever means no good.

const scratch = mkdtempSync(join(tmpdir(), 'earshot-tls-'))
const dataDir = join(scratch, 'data')
const certFile = join(scratch, 'cert.pem')
const keyFile = join(scratch, 'key.pem')
const env = { EARSHOT_TLS_CERT: certFile, EARSHOT_TLS_KEY: keyFile, EARSHOT_MAX_CONNECTIONS: '60' }
let service: RunningService

/** As a renewal does it: each file is there whole or not at all. */
function put(cert: string, key: string): void {
  for (const [file, text] of [
    [certFile, cert],
    [keyFile, key],
  ] as const) {
    writeFileSync(`${file}.new`, text, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
}

const portOf = (url: string) => Number(new URL(url).port)

/** Connects, trusting no certificate but this one. */
async function reach(url: string, ca: string): Promise<TLSSocket> {
  const socket = connect({
    host: '127.0.0.1',
    port: portOf(url),
    ca,
    servername: 'localhost',
    rejectUnauthorized: true,
  })
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  return socket
}

async function isShown(url: string, ca: string): Promise<boolean> {
  try {
    const socket = await reach(url, ca)
    socket.destroy()
    return true
  } catch {
    return false
  }
}

/** The status and headers of /health, by whoever trusts the first certificate. */
function health(url: string): Promise<{ readonly status: number | undefined; readonly hsts: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(`${url}/health`, { ca: TLS_CERT, agent: false }, answer => {
      answer.resume()
      resolve({ status: answer.statusCode, hsts: answer.headers['strict-transport-security'] })
    })
      .once('error', reject)
      .end()
  })
}

/** The same certificate, whose end is the 99th month of a year. */
function withoutEnd(cert: string): string {
  const bytes = Buffer.from(new X509Certificate(cert).raw)
  bytes.write('219901000000Z', bytes.indexOf('210101000000Z'), 'latin1')
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`
}

const ended = (socket: Socket) =>
  new Promise<string>(resolve => {
    let said = ''
    socket.on('data', data => (said += data.toString('latin1'))).on('error', () => undefined)
    socket.once('close', () => resolve(said))
  })

beforeAll(async () => {
  put(TLS_CERT, TLS_KEY)
  service = await startService({ dataDir, calls: 30, env })
})
afterAll(async () => {
  await service?.end('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

describe('with a certificate', () => {
  test('both listeners speak HTTPS, say so, and nothing older than TLS 1.2', async () => {
    for (const url of [service.api_url, service.mcp_url]) {
      expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
      expect(await health(url)).toMatchObject({ status: 200 })
      const old = connect({ host: '127.0.0.1', port: portOf(url), rejectUnauthorized: false, maxVersion: 'TLSv1.1' })
      expect(await ended(old)).toBe('')
    }
    expect((await health(service.api_url)).hsts).toMatch(/^max-age=\d+$/)
    expect(service.console_url).toMatch(/^https:/)
  })

  test.each(ways)('the official client gets its answers over %s', async way => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const client = await connectClient(service.mcp_url, service.application_key, way)
    try {
      expect((await callTool(client, 'get_project_context')).volume.calls).toBe(30)
    } finally {
      await client.close()
    }
  })

  test('clients sign in under the https address', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const metadata = await fetch(`${service.mcp_url}/.well-known/oauth-protected-resource/mcp`)
    expect(await metadata.json()).toMatchObject({ resource: `${service.mcp_url}/mcp` })
  })

  test('the command reaches it where the certificate is trusted, and says what is wrong where it is not', async () => {
    const args = ['calls', '--url', service.api_url, '--json']
    const key = { EARSHOT_KEY: service.application_key }
    // Whom Node trusts is read when a process begins.
    const trusted = await spawnEarshot(args, { env: { ...key, NODE_EXTRA_CA_CERTS: certFile } })
    const untrusted = await runEarshot(args, { env: key })
    expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining('"total":30') as string })
    expect(untrusted).toMatchObject({ code: 1, stderr: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string })
    const plain = await runEarshot(['calls', '--url', service.api_url.replace('https:', 'http:')], {
      env: key,
    })
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining('it may speak https:// only') as string })
  })

  test('what speaks plain HTTP is disconnected, and nobody else notices', async () => {
    for (const url of [service.api_url, service.mcp_url]) {
      const socket = connectPlain(portOf(url), '127.0.0.1', () =>
        socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n'),
      )
      expect(await ended(socket)).not.toContain('HTTP/1.1 200')
      expect(await health(url)).toMatchObject({ status: 200 })
    }
  })

  test('handshakes that never end take no more than the connections there may be, and are ended', async () => {
    const sockets = Array.from({ length: 200 }, () => {
      const socket = connectPlain(portOf(service.mcp_url), '127.0.0.1')
      // The beginning of a greeting, and no more of it.
      return socket.on('error', () => undefined).on('connect', () => socket.write(Buffer.from([0x16, 3, 1, 2, 0, 1])))
    })
    const closed = sockets.map(ended)
    // Those above the bound at once, all others with the time of a handshake: then there is room again.
    await expect
      .poll(() =>
        health(service.mcp_url).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
    await Promise.all(closed)
  })
})

describe('a certificate that is renewed', () => {
  test.runIf(isWhole)('is shown to new connections; open ones go on; what can not be shown is not taken', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const open = await connectClient(service.mcp_url, service.application_key, '/sse')
    try {
      // A key that is not the certificate's, one that no client can agree on, one that is too short, one that ended, one of which nobody can say when it does,
      // none at all: the one before stays.
      for (const [cert, key, why] of [
        [OTHER_TLS_CERT, TLS_KEY, 'is not the key of the first certificate'],
        [UNAGREED_TLS_CERT, UNAGREED_TLS_KEY, 'is a key on secp256k1, by which no client can agree'],
        [SHORT_TLS_CERT, SHORT_TLS_KEY, 'is an RSA key of 1024 bits'],
        [ENDED_TLS_CERT, ENDED_TLS_KEY, 'it ended at 2021-01-01'],
        [withoutEnd(ENDED_TLS_CERT), ENDED_TLS_KEY, 'says no time when it ends'],
        ['nothing', OTHER_TLS_KEY, 'holds no certificate as PEM'],
      ] as const) {
        put(cert, key)
        await expect.poll(() => service.output().stderr).toContain(why)
        expect(await isShown(service.api_url, TLS_CERT)).toBe(true)
      }
      put(OTHER_TLS_CERT, OTHER_TLS_KEY)
      await expect.poll(() => isShown(service.api_url, OTHER_TLS_CERT)).toBe(true)
      expect(await isShown(service.mcp_url, OTHER_TLS_CERT)).toBe(true)
      expect(await isShown(service.api_url, TLS_CERT)).toBe(false)
      expect((await callTool(open, 'get_project_context')).volume.calls).toBe(30)
      expect(service.output().stderr).not.toContain('PRIVATE KEY')
    } finally {
      await open.close()
      expect(await service.end()).toEqual({ code: 0, signal: null })
    }
  })
})

describe('files that can not be used', () => {
  const dir = join(scratch, 'wrong')
  beforeAll(() => mkdirSync(dir))
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const serve = (given: Record<string, string>) =>
    runEarshot(['serve', '--port', '0', '--mcp-port', '0', '--data-dir', join(dir, 'data')], {
      env: { EARSHOT_LOG_FORMAT: 'pretty', ...given },
    })

  test('are refused at the start, with what is wrong and where', async () => {
    const [cert, key, other] = [file('c', TLS_CERT), file('k', TLS_KEY), file('o', OTHER_TLS_KEY)]
    for (const [given, why] of [
      [{ EARSHOT_TLS_CERT: cert }, 'EARSHOT_TLS_CERT and EARSHOT_TLS_KEY go together'],
      [{ EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: other }, 'is not the key of the first certificate'],
      [{ EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: join(dir, 'gone') }, "can't be read (ENOENT)"],
      [{ EARSHOT_TLS_CERT: key, EARSHOT_TLS_KEY: key }, 'holds no certificate as PEM'],
    ] as const) {
      const refused = await serve(given)
      expect(refused).toMatchObject({
        code: expect.any(Number) as number,
        stderr: expect.stringContaining(why) as string,
      })
      expect(refused.code).not.toBe(0)
    }
  })

  test('are waited for by nobody where they are pipes that nobody writes', async () => {
    const pipe = join(dir, 'pipe')
    execFileSync('mkfifo', [pipe])
    const { code, stderr } = await spawnEarshot(['serve', '--data-dir', join(dir, 'data')], {
      env: { EARSHOT_TLS_CERT: pipe, EARSHOT_TLS_KEY: file('p', TLS_KEY), PORT: '0', MCP_PORT: '0' },
    })
    expect(code).not.toBe(0)
    expect(stderr).toContain(`EARSHOT_TLS_CERT: ${pipe} is no file`)
  })

  test('are told of by doctor', async () => {
    const [cert, key] = [file('e', ENDED_TLS_CERT), file('f', ENDED_TLS_KEY)]
    const { stdout } = await runEarshot(['doctor', '--data-dir', join(dir, 'none')], {
      env: { EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: key, PORT: '0', MCP_PORT: '0' },
    })
    expect(stdout).toMatch(/Certificate .*ended at 2021-01-01T00:00:00\.000Z/)
  })
})
