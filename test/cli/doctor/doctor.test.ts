import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkAll } from '../../../src/cli/doctor/check-all.js'
import { checkCertificate } from '../../../src/cli/doctor/check-certificate.js'
import { checkDirectory } from '../../../src/cli/doctor/check-directory.js'
import { checkMemory } from '../../../src/cli/doctor/check-machine.js'
import { checkPlaces } from '../../../src/cli/doctor/check-places.js'
import { checkStore } from '../../../src/cli/doctor/check-store.js'
import { runEarshot } from '../../support/run-earshot.js'
import { smallDisk } from '../../support/small-disk.js'
import { tempDir } from '../../support/temp-dir.js'
import { TLS_CERT, TLS_KEY } from '../../support/tls.js'
import { isWhole } from '../../support/whole.js'

const MiB = 1024 ** 2

afterEach(() => vi.useRealTimers())

describe('earshot doctor', () => {
  test('says of each place that a setting names what would go wrong there', () => {
    const directory = tempDir()
    const file = join(directory, 'sso.yaml')
    writeFileSync(file, 'rules: [{ when: { group: sales }, agents: all ]')
    const gone = join(directory, 'gone')
    const found = checkPlaces({
      importDir: gone,
      reportDir: file,
      recordingsDir: directory,
      ssoMapping: file,
      auditStream: `file://${gone}/audit.ndjson`,
      auditStreamCa: undefined,
    })
    expect(found.map(({ check, status, found: text }) => `${status} ${check}: ${text}`)).toEqual([
      `fail Import directory: ${gone} is not there: tasks that import fail`,
      `fail Report directory: ${file} is no directory: tasks that write reports fail`,
      `ok Recordings: ${directory}`,
      expect.stringMatching(/^fail Single sign-on: .*sso\.yaml: The mapping is no YAML: .* at line 1, column 47$/),
      `fail Audit stream: ${gone} is not there: the audit trail is not streamed`,
    ])
    const collector = { auditStream: 'syslog+tls://collector.example.com:6514', auditStreamCa: gone }
    const none = { importDir: undefined, reportDir: undefined, recordingsDir: undefined, ssoMapping: undefined }
    expect(checkPlaces({ ...none, ...collector })).toMatchObject([
      { status: 'fail', advice: 'Correct it, or EARSHOT_AUDIT_STREAM_CA' },
    ])
    expect(checkPlaces({ ...none, auditStream: undefined, auditStreamCa: undefined })).toEqual([])
  })

  test('warns where the engine would leave Node no memory', () => {
    const settings = { memoryLimit: 1024 * MiB, evaluationMemory: 256 * MiB }
    expect(checkMemory(settings, 4096 * MiB)).toMatchObject({
      status: 'ok',
      found: 'engine 1GiB, with all else 1792MiB of 4GiB',
    })
    expect(checkMemory(settings, 1024 * MiB)).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('may have 1GiB and needs 1792MiB with EARSHOT_MEMORY_LIMIT=1GiB'),
      advice: expect.stringContaining('Set EARSHOT_MEMORY_LIMIT to 460MiB and EARSHOT_EVALUATION_MEMORY to 154MiB'),
    })
  })

  test('says of a certificate when it ends or ended, that it does not hold yet, and who can read its key', () => {
    const [tlsCert, tlsKey] = [join(tempDir(), 'cert.pem'), join(tempDir(), 'key.pem')]
    writeFileSync(tlsCert, TLS_CERT)
    writeFileSync(tlsKey, TLS_KEY, { mode: 0o640 })
    chmodSync(tlsKey, 0o640)
    const at = (now: string) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) })
      return checkCertificate({ tlsCert, tlsKey })
    }
    expect(at('2126-09-29')).toMatchObject([{ status: 'ok', found: 'holds until 2126-10-30T12:39:38.000Z' }])
    expect(at('2126-10-01')).toMatchObject([{ status: 'warn', found: 'ends at 2126-10-30T12:39:38.000Z' }])
    expect(at('2126-10-31')).toMatchObject([{ status: 'fail', found: expect.stringMatching(/^it ended at/) }])
    expect(at('2026-11-23')).toMatchObject([
      { status: 'fail', found: expect.stringMatching(/^it does not hold before/) },
    ])
    chmodSync(tlsKey, 0o644)
    expect(at('2126-10-01')).toMatchObject([{ status: 'warn' }, { status: 'warn', advice: `chmod o= ${tlsKey}` }])
  })

  test('names the file others can read, and how to close it', () => {
    const dataDir = tempDir()
    writeFileSync(join(dataDir, 'cursor.key'), 'secret', { mode: 0o600 })
    expect(checkDirectory(dataDir).every(({ status }) => status === 'ok')).toBe(true)
    chmodSync(join(dataDir, 'cursor.key'), 0o644)
    chmodSync(dataDir, 0o750)
    expect(checkDirectory(dataDir)).toMatchObject([
      { check: 'Data directory', status: 'warn', advice: `chmod 700 ${dataDir}` },
      { check: 'Files and secrets', status: 'fail', found: `${join(dataDir, 'cursor.key')} is readable by others` },
      {},
      {},
      {},
    ])
  })

  test('tells a disk that is read-only from one that is another user’s', async context => {
    const disk = smallDisk(1)
    if (disk === undefined) return context.skip('mounting is not allowed here')
    execFileSync('mount', ['-o', 'remount,ro', disk.dir])
    const found = `${disk.dir} is on a file system that is read-only here`
    expect(checkDirectory(disk.dir)).toMatchObject([{ check: 'Data directory', status: 'fail', found }])
    await expect(runEarshot(['project', 'create', 'p', '--data-dir', disk.dir])).resolves.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(found),
    })
  })

  test.runIf(process.getuid?.() === 0)('fails on a directory that may be written and not closed to others', () => {
    const dataDir = tempDir()
    chmodSync(dataDir, 0o2777)
    process.seteuid?.(65_534)
    onTestFinished(() => process.seteuid?.(0))
    expect(checkDirectory(dataDir)).toEqual([
      {
        check: 'Data directory',
        status: 'fail',
        found: expect.stringMatching(/ belongs to user 0, and user 65534 can't close it to others/),
        advice: 'Set EARSHOT_DATA_DIR to a directory in it',
      },
    ])
  })

  test('looks through a link at the directory that it leads to', () => {
    const [dataDir, link] = [tempDir(), join(tempDir(), 'data')]
    writeFileSync(join(dataDir, 'cursor.key'), 'secret', { mode: 0o600 })
    symlinkSync(dataDir, link)
    expect(checkDirectory(link)).toMatchObject([
      { check: 'Data directory', status: 'ok', found: link },
      { check: 'Files and secrets', status: 'ok' },
      {},
      {},
      {},
    ])
    chmodSync(dataDir, 0o750)
    expect(checkDirectory(link)).toContainEqual(
      expect.objectContaining({ status: 'warn', advice: `chmod 700 ${link}` }),
    )
  })

  test.runIf(process.getuid?.() === 0)('names the file that is not the directory owner’s', () => {
    const dataDir = tempDir()
    for (const name of ['cursor.key', 'webhook.key']) writeFileSync(join(dataDir, name), 'secret', { mode: 0o600 })
    chownSync(dataDir, 12_345, 12_345)
    chownSync(join(dataDir, 'cursor.key'), 12_345, 12_345)
    // As which no command and no server would open it.
    expect(checkDirectory(dataDir)).toContainEqual(
      expect.objectContaining({ status: 'fail', found: expect.stringContaining('belongs to user 12345') }),
    )
    expect(checkDirectory(dataDir)).toContainEqual({
      check: 'Files and secrets',
      status: 'fail',
      found: `${join(dataDir, 'webhook.key')} is not the directory owner's`,
      advice: expect.stringContaining(`chown -R --reference=${dataDir} ${dataDir}`),
    })
  })

  test('names a link that leads nowhere, as to a volume that is not mounted', () => {
    const link = join(tempDir(), 'data')
    symlinkSync('/not/mounted', link)
    expect(checkDirectory(link)).toEqual([
      expect.objectContaining({
        status: 'fail',
        found: expect.stringContaining('is a link to /not/mounted, which is not there'),
      }),
    ])
  })

  test('sees a clock that went back, and a path too long for the socket', () => {
    const dataDir = join(tempDir(), 'x'.repeat(100))
    mkdirSync(dataDir, { mode: 0o700 })
    writeFileSync(join(dataDir, 'earshot.duckdb'), '', { mode: 0o600 })
    const ahead = new Date(Date.now() + 3_600_000)
    utimesSync(join(dataDir, 'earshot.duckdb'), ahead, ahead)
    const warned = checkDirectory(dataDir).filter(({ status }) => status === 'warn')
    expect(warned.map(({ check }) => check)).toEqual(['Clock', 'Control socket'])
  })

  test('looks at a store without making one', async () => {
    const dataDir = tempDir()
    const findings = await checkAll({ dataDir, port: '0' })
    expect(findings.find(({ check }) => check === 'Store')).toMatchObject({
      status: 'ok',
      found: expect.stringContaining('none yet'),
    })
    expect(findings.filter(({ status }) => status === 'fail')).toEqual([])
  })

  test('says everything that is wrong with a configuration, and exits with 1', async () => {
    const run = await runEarshot(['doctor', '--json', '--data-dir', tempDir()], { env: { PORT: 'x', MCP_PORT: '-1' } })
    expect(run.code).toBe(1)
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: false,
      findings: [
        { check: 'Configuration', status: 'fail', found: expect.stringContaining('PORT is "x"') },
        { check: 'Configuration', status: 'fail', found: expect.stringContaining('MCP_PORT is "-1"') },
      ],
    })
  })

  // Of a store that was written much the engine cuts off what is free at the end.
  test.runIf(isWhole)('takes no store for cut off that is whole', async () => {
    const dataDir = join(tempDir(), 'data')
    await runEarshot(['project', 'create', 'shop', '--data-dir', dataDir])
    const { stdout: calls } = await runEarshot(['generate', '--calls', '300'])
    const sizes: number[] = []
    for (let round = 0; round < 3; round += 1) {
      await runEarshot(['import', '-', '--project', 'shop', '--data-dir', dataDir], { input: calls })
      sizes.push(statSync(join(dataDir, 'earshot.duckdb')).size)
      expect((await checkStore({ dataDir, storeUrl: 'duckdb:' })).finding).toMatchObject({ status: 'ok' })
    }
    expect(sizes[2]).toBeLessThan(sizes[1]!)
    truncateSync(join(dataDir, 'earshot.duckdb'), sizes[2]! - 262_144)
    expect((await checkStore({ dataDir, storeUrl: 'duckdb:' })).finding).toMatchObject({
      status: 'fail',
      found: expect.stringMatching(
        /is cut off: it has \d+ bytes and needs \d+\. Restore a backup$|its file is damaged/,
      ),
    })
  })

  test('tells a damaged store from a good one', async () => {
    const dataDir = join(tempDir(), 'data')
    const doctor = async () => {
      const run = await runEarshot(['doctor', '--data-dir', dataDir, '--port', '0'])
      return { code: run.code, store: run.stdout.split('\n').find(line => / Store /.test(line)) }
    }
    await runEarshot(['project', 'create', 'shop', '--data-dir', dataDir])
    expect(await doctor()).toEqual({ code: 0, store: expect.stringMatching(/^ok +Store +opens: version \d+/) })
    truncateSync(join(dataDir, 'earshot.duckdb'), 12_288 + 262_144)
    expect(await doctor()).toEqual({
      code: 1,
      store: expect.stringMatching(/^fail +Store .* is damaged or not a store/),
    })
    writeFileSync(join(dataDir, 'earshot.duckdb'), 'not a store', { mode: 0o600 })
    expect(await doctor()).toEqual({ code: 1, store: expect.stringMatching(/^fail +Store .* damaged or not a store/) })
  })
})
