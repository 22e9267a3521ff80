import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { beginStore } from '../../support/begun-store.js'
import { inspectStore } from '../../../src/store/duckdb/files/inspect-store.js'
import { openDuckDbStore } from '../../../src/store/duckdb/open-duckdb-store.js'
import { call, openStore, rows, tempDir } from './support.js'

const options = { memoryLimit: '256MB', threads: 1 }

const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
})

/** A process of its own that stores `count` calls one by one, says so after each, and then holds the store. */
async function otherProcess(dataDir: string, count: number): Promise<ChildProcess> {
  const program = `
    import { openDuckDbStore } from ${JSON.stringify(new URL('../../../dist/store/duckdb/open-duckdb-store.js', import.meta.url).href)}
    const store = await openDuckDbStore({ dataDir: process.argv[1], memoryLimit: '256MB', threads: 1 })
    for (let i = 0; i < ${count}; i++) {
      const id = 's' + i
      const json = JSON.stringify({ session_id: id, agent_id: 'ana', agent_name: 'Ana', created_dt: '2026-03-01T00:00:00Z' })
      await store.calls.upsert('p', [{ session_id: id, agent_id: 'ana', agent_name: 'Ana', json }])
      process.stdout.write(id + '\\n')
    }
    process.stdout.write('done\\n')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  return child
}

/** What a process has said up to a word. */
async function saidUntil(child: ChildProcess, word: string): Promise<string> {
  let said = ''
  for await (const piece of child.stdout!) {
    said += String(piece)
    if (said.includes(word)) break
  }
  return said
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const made = mkdtempSync(join(tmpdir(), 'earshot-killed-'))
afterAll(() => rmSync(made, { recursive: true }))

let holder: Promise<ChildProcess> | undefined

/** A process that stored 10 calls, which are in the write-ahead log, and holds the store in `made`: one for all tests, as it takes a second. */
function holding(): Promise<ChildProcess> {
  holder ??= otherProcess(made, 10).then(async child => {
    await saidUntil(child, 'done')
    return child
  })
  return holder
}

/** A copy of the data directory of that process, which is killed. */
async function killedStore(): Promise<string> {
  const child = await holding()
  if (child.signalCode === null) await kill(child)
  const dataDir = tempDir()
  cpSync(made, dataDir, { recursive: true })
  return dataDir
}

describe('files', () => {
  it('are closed to everyone else', async () => {
    const dataDir = join(tempDir(), 'new')
    const store = await openStore({ dataDir })
    await store.calls.upsert('p', [call('s1')])
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    const files = readdirSync(dataDir).filter(name => statSync(join(dataDir, name)).isFile())
    expect(files.toSorted()).toEqual(['earshot.acknowledged', 'earshot.duckdb', 'earshot.duckdb.wal'])
    for (const name of files) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
  })

  it('that a killed process left half made or spilled are swept away', async () => {
    const dataDir = tempDir()
    writeFileSync(join(dataDir, 'earshot.duckdb.new-1-1'), 'half')
    await openStore({ dataDir })
    expect(existsSync(join(dataDir, 'earshot.duckdb.new-1-1'))).toBe(false)
  })
})

describe('a directory in use', () => {
  it('is refused to a second process, naming the first', async () => {
    const child = await holding()
    await expect(openDuckDbStore({ dataDir: made, ...options })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(`is in use by process ${child.pid} \\(node\\)`),
    })
  })

  it('is refused to the same process, which the lock would not keep out', async () => {
    const dataDir = tempDir()
    const store = await openStore({ dataDir })
    await expect(openDuckDbStore({ dataDir, ...options })).rejects.toMatchObject({ code: 'conflict' })
    await store.close()
    await expect(openStore({ dataDir })).resolves.toBeDefined()
  })
})

describe('after kill -9', () => {
  it('everything acknowledged is there', async () => {
    const dataDir = tempDir()
    await beginStore(dataDir)
    const child = await otherProcess(dataDir, 100_000)
    const said = await saidUntil(child, 's12\n')
    await kill(child)
    const acknowledged = said.split('\n').slice(0, -1)
    const store = await openStore({ dataDir })
    const present = new Set((await rows(store, 'select session_id from calls')).flat())
    expect(acknowledged.filter(id => !present.has(id))).toEqual([])
  })

  it('a write that was torn before it was acknowledged is cut, what stands before it is kept', async () => {
    const dataDir = await killedStore()
    // As if the process had been killed in the middle of its tenth write: the log is torn, the record knows of nine.
    const log = join(dataDir, 'earshot.duckdb.wal')
    truncateSync(log, statSync(log).size - 10)
    const record = join(dataDir, 'earshot.acknowledged')
    writeFileSync(
      record,
      readFileSync(record, 'latin1')
        .split('\n')
        .find(line => line.includes('"writes":9'))!
        .concat('\n'),
    )
    const store = await openStore({ dataDir })
    expect(await rows(store, 'select count(*) from calls')).toEqual([[9n]])
  })
})

describe('a store that lacks acknowledged writes', () => {
  const log = 'earshot.duckdb.wal'
  const damages: readonly (readonly [string, string, (dataDir: string) => void])[] = [
    ['removed', '0-10', dataDir => rmSync(join(dataDir, log))],
    ['emptied', '0-10', dataDir => truncateSync(join(dataDir, log), 0)],
    ['cut', '9-10', dataDir => truncateSync(join(dataDir, log), statSync(join(dataDir, log)).size - 10)],
  ]
  it.each(damages)('since its log was %s is refused; naming the loss opens it, once', async (_, name, damage) => {
    const dataDir = await killedStore()
    damage(dataDir)
    const refusal = await openDuckDbStore({ dataDir, ...options }).catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        new RegExp(`write 10 of 20.*Z was acknowledged: up to .* are missing.*EARSHOT_ACCEPT_LOSS=${name} `),
      ),
    })
    await expect(inspectStore(dataDir), 'doctor says the same').resolves.toMatchObject({
      loss: { message: (refusal as Error).message },
    })
    await expect(openDuckDbStore({ dataDir, ...options, acceptLoss: '3-4' })).rejects.toThrow(/are missing/)
    const store = await openStore({ dataDir, acceptLoss: name })
    await store.calls.upsert('p', [call('later')])
    await store.close()
    // The same word accepts nothing more.
    const again = await openStore({ dataDir, acceptLoss: name })
    expect(await rows(again, `select count(*) from calls where session_id = 'later'`)).toEqual([[1n]])
  })

  it('since an older copy was put in its place is refused', async () => {
    const dataDir = tempDir()
    const first = await openStore({ dataDir })
    await first.calls.upsert('p', [call('s1')])
    await first.close()
    const copy = readFileSync(join(dataDir, 'earshot.duckdb'))
    const second = await openStore({ dataDir })
    await second.calls.upsert('p', [call('s2')])
    await second.close()
    writeFileSync(join(dataDir, 'earshot.duckdb'), copy)
    await expect(openDuckDbStore({ dataDir, ...options })).rejects.toThrow(/ends with write 1 of .* but write 2 of/)
  })

  it('opens when the record itself is gone or damaged: the log says that nothing can be told', async () => {
    for (const damage of [(file: string) => rmSync(file), (file: string) => writeFileSync(file, 'x')]) {
      const dataDir = await killedStore()
      damage(join(dataDir, 'earshot.acknowledged'))
      const said: string[] = []
      const note = (_: object, message: string) => void said.push(message)
      const store = await openStore({ dataDir, log: { info: () => undefined, warn: note, error: note } })
      expect(said).toEqual([expect.stringContaining('whether any is missing cannot be told; it begins anew')])
      expect(await rows(store, 'select count(*) from calls')).toEqual([[10n]])
      await store.close()
    }
  })
})

describe('a damaged store is refused and left as it is', () => {
  it.each([
    ['its log was changed', 'earshot.duckdb.wal', 'its write-ahead log is damaged'],
    ['its file is not a store', 'earshot.duckdb', 'its file is damaged or not a store'],
  ])('when %s', async (_, name, sentence) => {
    const dataDir = await killedStore()
    const file = join(dataDir, name)
    const bytes = readFileSync(file)
    if (name.endsWith('.wal')) bytes[bytes.length >> 1]! ^= 0xff
    else bytes.fill(7)
    writeFileSync(file, bytes)
    await expect(openDuckDbStore({ dataDir, ...options })).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining(sentence),
    })
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it('when its file was cut, such as a copy that ended early', async () => {
    const dataDir = join(tempDir(), 'data')
    const store = await openStore({ dataDir })
    await store.close()
    truncateSync(join(dataDir, 'earshot.duckdb'), 12_288 + 262_144)
    await expect(openDuckDbStore({ dataDir, ...options })).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('its file is damaged or not a store'),
    })
  })

  it('when its file is empty or gone: a new one is never made in silence', async () => {
    const dataDir = await killedStore()
    const copy = join(tempDir(), 'copy')
    cpSync(dataDir, copy, { recursive: true })
    truncateSync(join(dataDir, 'earshot.duckdb'), 0)
    await expect(openDuckDbStore({ dataDir, ...options })).rejects.toThrow(/is empty\. Restore a backup/)
    rmSync(join(copy, 'earshot.duckdb'))
    await expect(openDuckDbStore({ dataDir: copy, ...options })).rejects.toThrow(
      /is gone, though its record of acknowledged writes and its write-ahead log are there/,
    )
    rmSync(join(copy, 'earshot.duckdb.wal'))
    await expect(openDuckDbStore({ dataDir: copy, ...options })).rejects.toThrow(/is gone, though its record/)
    rmSync(join(copy, 'earshot.acknowledged'))
    const expected = { what: 'its audit trail', name: 'all-7' }
    await expect(openDuckDbStore({ dataDir: copy, ...options, expected })).rejects.toThrow(/though its audit trail is/)
    await expect(openDuckDbStore({ dataDir: copy, ...options, expected, acceptLoss: 'all-6' })).rejects.toThrow(
      /is gone/,
    )
    const anew = await openStore({ dataDir: copy, expected, acceptLoss: 'all-7' })
    expect(await rows(anew, 'select count(*) from calls')).toEqual([[0n]])
  })

  it('when a restore into it was cut off: nothing is lost, so no loss is offered to be accepted', async () => {
    const dataDir = await killedStore()
    renameSync(join(dataDir, 'earshot.duckdb'), join(dataDir, 'earshot.duckdb.new-restored'))
    rmSync(join(dataDir, 'earshot.duckdb.wal'))
    const opening = openDuckDbStore({ dataDir, ...options, acceptLoss: 'all' })
    await expect(opening).rejects.toThrow(/A restore into .* was cut off, .* restore again\.$/)
    expect(existsSync(join(dataDir, 'earshot.duckdb.new-restored'))).toBe(true)
  })

  it('when it begins anew by the operator, what is left of it is put aside, not deleted', async () => {
    const dataDir = await killedStore()
    truncateSync(join(dataDir, 'earshot.duckdb'), 0)
    await openStore({ dataDir, acceptLoss: '0-10' })
    const aside = readdirSync(dataDir).filter(name => name.includes('.lost-'))
    expect(aside.map(name => name.replace(/\.lost-\d+$/, '')).toSorted()).toEqual([
      'earshot.acknowledged',
      'earshot.duckdb',
      'earshot.duckdb.wal',
    ])
  })
})

it('refuses a thread pool that its queries could fill', async () => {
  await expect(openDuckDbStore({ dataDir: tempDir(), ...options, threadPoolSize: 4 })).rejects.toMatchObject({
    code: 'not_configured',
    message: expect.stringContaining('set UV_THREADPOOL_SIZE to 13 or more'),
  })
})
