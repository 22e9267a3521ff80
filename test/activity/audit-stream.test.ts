import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type TLSSocket } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AuditStream } from '../../src/activity/audit-stream.js'
import { FileSource } from '../../src/activity/file-source.js'
import { type StreamTarget, streamTarget, SyslogTarget } from '../../src/activity/stream-targets.js'
import { settings } from '../../src/config/settings.js'
import { aTrail, anEvent, keptLog } from '../support/activity.js'
import { tempDir } from '../support/temp-dir.js'
import { TLS_CERT, TLS_KEY } from '../support/tls.js'

/** A message as a collector reads it (RFC 5424). */
const MESSAGE =
  /^<(\d{1,3})>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}Z) ([\x21-\x7e]{1,255}) earshot (\d+) ([\x21-\x7e]{1,32}) \[meta sequenceId="(\d+)"\] (.*)$/s

/** Messages by their counted octets (RFC 5425); what is not whole yet is left. */
function framesOf(bytes: Buffer): string[] {
  const frames: string[] = []
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(0x20, at)
    if (blank === -1) break
    const digits = bytes.toString('latin1', at, blank)
    expect(digits).toMatch(/^[1-9]\d*$/)
    const end = blank + 1 + Number(digits)
    if (end > bytes.length) break
    frames.push(bytes.toString('utf8', blank + 1, end))
    at = end
  }
  return frames
}

/** A collector of syslog over TLS on a port; `reads: false` takes connections and nothing they say. */
async function aCollector(port = 0, { reads = true } = {}) {
  const received: Buffer[][] = []
  const sockets: TLSSocket[] = []
  const server = createServer({ key: TLS_KEY, cert: TLS_CERT, minVersion: 'TLSv1.2' }, socket => {
    const own: Buffer[] = []
    received.push(own)
    sockets.push(socket)
    socket.on('error', () => undefined)
    if (reads) socket.on('data', bytes => void own.push(bytes))
    else socket.pause()
  })
  server.on('tlsClientError', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise(resolve => server.close(resolve))
  }
  onTestFinished(stop)
  const address = server.address() as { port: number }
  return {
    port: address.port,
    stop,
    connections: () => received.length,
    messages: () => received.flatMap(own => framesOf(Buffer.concat(own))),
    numbers: () =>
      received.flatMap(own => framesOf(Buffer.concat(own)).map(one => Number(MESSAGE.exec(one)?.[6] ?? Number.NaN))),
  }
}

const whole = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

function caIn(dataDir: string): string {
  const file = join(dataDir, 'ca.pem')
  writeFileSync(file, TLS_CERT)
  return file
}

type Trail = Awaited<ReturnType<typeof aTrail>>

function aStream(dataDir: string, trail: Trail, port: number, { log = keptLog(), settledMs = 0, ca = true } = {}) {
  const name = `syslog+tls://127.0.0.1:${port}`
  const target = new SyslogTarget(new URL(name), ca ? caIn(dataDir) : undefined, settledMs)
  const stream = new AuditStream({ source: new FileSource({ dataDir, trail, name }), target, log, intervalMs: 5 })
  onTestFinished(() => stream.close())
  return stream
}

describe('to a collector of syslog', () => {
  test('each line is a message of RFC 5424 with its octets counted, in order, over TLS', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir, { segmentBytes: 2_000 })
    const collector = await aCollector()
    for (const n of whole(40)) await trail.append(anEvent(n, { name: `Jürgen ${n}` }))
    aStream(dataDir, trail, collector.port)
    await expect.poll(collector.numbers).toEqual(whole(40))
    const [, priority, , , , , , json = ''] = MESSAGE.exec(collector.messages()[6] ?? '') ?? []
    // Facility 13, "log audit".
    expect(Math.floor(Number(priority) / 8)).toBe(13)
    expect(JSON.parse(json)).toMatchObject({ seq: 7, name: 'Jürgen 7' })
    await trail.append(anEvent(41))
    await expect.poll(collector.numbers).toEqual(whole(41))
  })

  test('a collector that goes away and comes back gets each line at least once', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    const first = await aCollector()
    // What was written in the last minute counts as lost with a connection.
    aStream(dataDir, trail, first.port, { settledMs: 60_000 })
    for (const n of whole(20)) await trail.append(anEvent(n))
    await expect.poll(first.numbers).toEqual(whole(20))
    await first.stop()
    for (const n of [21, 22]) await trail.append(anEvent(n))
    const second = await aCollector(first.port)
    await expect.poll(second.numbers).toEqual(whole(22))
  })

  test('goes on where it stopped, also after a start', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    const collector = await aCollector()
    const stream = aStream(dataDir, trail, collector.port)
    for (const n of whole(5)) await trail.append(anEvent(n))
    await expect.poll(collector.numbers).toEqual(whole(5))
    await stream.close()
    for (const n of [6, 7]) await trail.append(anEvent(n))
    aStream(dataDir, trail, collector.port)
    await expect.poll(collector.numbers).toEqual(whole(7))
    expect(collector.connections()).toBe(2)
  })

  test('one that takes nothing holds up no line, takes no memory without end, and is left in time', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    const collector = await aCollector(0, { reads: false })
    // However long the test takes, nothing counts as arrived by the time that has passed.
    const target = new SyslogTarget(new URL(`syslog+tls://127.0.0.1:${collector.port}`), caIn(dataDir), 3_600_000)
    let handed = 0
    const counted: StreamTarget = {
      send: events => {
        handed += events.length
        return target.send(events)
      },
      settled: () => target.settled(),
      close: () => target.close(),
    }
    const stream = new AuditStream({
      source: new FileSource({ dataDir, trail, name: 'x' }),
      target: counted,
      log: keptLog(),
      intervalMs: 5,
    })
    await trail.append(anEvent(1))
    await expect.poll(collector.connections).toBe(1)
    // 15 MB, more than connections hold.
    const session_hashes = Array.from({ length: 10 }, () => 'f'.repeat(32))
    await Promise.all(whole(20_000).map(n => trail.append(anEvent(n + 1, { session_hashes }))))
    expect(handed).toBeLessThan(20_000)
    await stream.close()
    expect(handed).toBeLessThan(20_000)
    expect(existsSync(join(dataDir, 'audit-stream.json'))).toBe(false)
  })

  test('one that nobody trusts gets nothing, and it is told once', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    const collector = await aCollector()
    await trail.append(anEvent(1))
    const log = keptLog()
    aStream(dataDir, trail, collector.port, { log, ca: false })
    await expect.poll(() => JSON.stringify(log)).toContain('cannot be streamed')
    expect(collector.numbers()).toEqual([])
  })
})

test('a file gets each line of the trail, and goes on where it stopped', async () => {
  const dataDir = tempDir()
  const trail = await aTrail(dataDir)
  const path = join(dataDir, 'stream.ndjson')
  const name = pathToFileURL(path).href
  const start = () =>
    new AuditStream({
      source: new FileSource({ dataDir, trail, name }),
      target: streamTarget(name, undefined),
      log: keptLog(),
      intervalMs: 5,
    })
  const numbers = () =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as { seq: number }).seq)
  const stream = start()
  for (const n of whole(3)) await trail.append(anEvent(n))
  await expect.poll(() => numbers().length).toBe(3)
  await stream.close()
  await trail.append(anEvent(4))
  const again = start()
  onTestFinished(() => again.close())
  await expect.poll(() => numbers().length).toBe(4)
  expect(numbers()).toEqual(whole(4))
})

test.each(['syslog://a:514', 'syslog+tls://', 'syslog+tls://a/path', 'file://host/x', 'https://a', '/var/log/x'])(
  'the setting refuses %s',
  address => {
    expect(settings.auditStream.read.safeParse(address).success).toBe(false)
  },
)

test.each(['syslog+tls://collector.example.com', 'syslog+tls://[::1]:6514', 'file:///var/log/x.ndjson'])(
  'and takes %s',
  address => {
    expect(settings.auditStream.read.safeParse(address).success).toBe(true)
  },
)
