import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DuckDbStore } from '../../../src/store/duckdb/duckdb-store.js'
import { smallDisk } from '../../support/small-disk.js'
import { call, openStore, rows, tempDir } from './support.js'

const REFUSAL = {
  code: 'store_unavailable',
  message: expect.stringMatching(/^The store cannot read or write its files at the moment(: [a-z ]+)?$/),
}

const idsIn = async (store: DuckDbStore) => (await rows(store, 'select session_id from calls order by all')).flat()

const large = (id: string) => call(id, { title: 'x'.repeat(8_000) })

async function aStoreOn(disk: string) {
  const dataDir = join(disk, 'data')
  const said: string[] = []
  const note = (_: object, message: string) => void said.push(message)
  const store = await openStore({ dataDir, retryMs: 20, log: { info: note, warn: note, error: note } })
  await store.calls.upsert('p', [call('before')])
  said.length = 0
  return { store, said, dataDir }
}

/** Refused with our own sentence, never the engine's, which holds paths and SQL. */
const expectRefusal = (work: Promise<unknown>) => expect(work).rejects.toMatchObject(REFUSAL)

describe('a full disk', () => {
  it('refuses writes with a clear sentence, is read from still, and goes on by itself when there is room', async context => {
    const disk = smallDisk(24)
    if (disk === undefined) return context.skip('mounting is not allowed here')
    const { store, said } = await aStoreOn(disk.dir)
    disk.fill()
    await expectRefusal(store.calls.upsert('p', [large('refused')]))
    expect(store.notReady()).toEqual({ code: 'store_not_writable', cause: 'disk_full' })
    expect(await idsIn(store)).toEqual(['before'])
    await store.ping()
    disk.free()
    await expect.poll(() => store.notReady()).toBeUndefined()
    await store.calls.upsert('p', [large('after')])
    expect(await idsIn(store)).toEqual(['after', 'before'])
    expect(said).toEqual(['the store cannot be written', 'the store can be written again'])
  })

  it('in the middle of a checkpoint makes the engine useless: it is opened anew, also while the disk is full', async context => {
    const disk = smallDisk(24)
    if (disk === undefined) return context.skip('mounting is not allowed here')
    const { store, said, dataDir } = await aStoreOn(disk.dir)
    for (let n = 0; n < 40; n += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the log has to grow
      await store.calls.upsert('p', [large(`s${n}`)])
    }
    // Room for the log to take the erasure, not for the file to take the log.
    disk.fill(16_384)
    await expectRefusal(store.calls.erase('p', 's0'))
    await expect.poll(() => said).toContain('the store is open again')
    expect(said[0]).toMatch(/^the store (failed; its files are opened anew|cannot be written)$/)
    expect(await idsIn(store)).toContain('before')
    disk.free()
    await expect.poll(() => store.notReady()).toBeUndefined()
    await store.calls.upsert('p', [large('after')])
    const ids = await idsIn(store)
    expect(ids).toEqual(expect.arrayContaining(['after', 'before', 's1', 's39']))
    await store.close()
    const again = await openStore({ dataDir })
    expect(await idsIn(again)).toEqual(ids)
  })
})

describe('a file that is damaged where calls lie', () => {
  it('opens; what reads there is refused with what to do, and the log is told each time', async () => {
    const dataDir = tempDir()
    const filled = await openStore({ dataDir })
    const text = () => randomBytes(3_000).toString('base64')
    await filled.calls.upsert(
      'p',
      Array.from({ length: 1_000 }, (_, n) => call(`s${n}`, { title: text() })),
    )
    await filled.close()
    const path = join(dataDir, 'earshot.duckdb')
    const file = openSync(path, 'r+')
    writeSync(file, randomBytes(4_096), 0, 4_096, Math.floor(fstatSync(file).size / 2))
    closeSync(file)

    const said: object[] = []
    const error = (details: object, message: string) => void said.push({ ...details, message })
    const store = await openStore({ dataDir, log: { info: () => undefined, warn: () => undefined, error } })
    const reading = rows(store, 'select max(title) from calls')
    await expect(reading).rejects.toMatchObject({
      code: 'store_unavailable',
      message: 'The store cannot read or write its files at the moment: their content is damaged; restore a backup',
    })
    expect(said).toEqual([
      {
        err: expect.objectContaining({ message: expect.stringContaining('Corrupt database file') }),
        fault: 'damaged',
        message: 'the store cannot be read',
      },
    ])
  })
})

/** Runs a program over the store's code in a process of its own, below limits of its own. Gives back what it said. */
async function limited(program: string, dataDir: string): Promise<string> {
  mkdirSync(dataDir, { recursive: true })
  const source = `
    import { execFileSync, spawn } from 'node:child_process'
    import { once } from 'node:events'
    import { chmodSync, chownSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { openDuckDbStore } from ${JSON.stringify(new URL('../../../dist/store/duckdb/open-duckdb-store.js', import.meta.url).href)}
    const say = (...words) => console.log(words.map(word => typeof word === 'string' ? word : JSON.stringify(word)).join(' '))
    const call = (id, title) => ({ session_id: id, agent_id: 'ana', agent_name: 'Ana',
      json: JSON.stringify({ session_id: id, agent_id: 'ana', agent_name: 'Ana', created_dt: '2026-03-01T00:00:00Z', title }) })
    const limit = (what, value) => execFileSync('prlimit', ['--pid', String(process.pid), '--' + what + '=' + value + ':'])
    // Made ahead: where no descriptor is free no process can be started.
    const later = (what, value) => {
      const child = spawn('sh', ['-c', 'read go; prlimit --pid ' + process.pid + ' --' + what + '=' + value + ':'], { stdio: ['pipe', 'inherit', 'inherit'] })
      return async () => { child.stdin.end('go\\n'); await once(child, 'exit') }
    }
    const outcome = work => work.then(() => 'done', error => error.code + ': ' + error.message)
    // Rights mean nothing to root.
    if (process.getuid() === 0) { chownSync(process.argv[1], 65534, 65534); process.setgid(65534); process.setuid(65534) }
    const store = await openDuckDbStore({ dataDir: process.argv[1], memoryLimit: '256MB', threads: 2, retryMs: 20 })
    const ids = async () => (await store.calls.agentIds('p')).size
    const readyAgain = async () => { while (store.notReady() !== undefined) await sleep(20) }
    ${program}
    await store.close()
    say('closed')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const piece of child.stdout) said += String(piece)
  return said
}

describe.skipIf(process.platform !== 'linux')('limits of the process', () => {
  // What a full disk is where nothing may be mounted: no file may grow beyond a size (EFBIG in place of ENOSPC).
  it('no file may grow: refused, and on again when it may', async () => {
    const said = await limited(
      `process.on('SIGXFSZ', () => {})
       await store.calls.upsert('p', [call('before', 'x')])
       limit('fsize', 4096)
       say(await outcome(store.calls.upsert('p', [call('refused', 'x'.repeat(20_000))])), store.notReady())
       say(await ids())
       limit('fsize', 'unlimited')
       await readyAgain()
       say(await outcome(store.calls.upsert('p', [call('after', 'x'.repeat(20_000))])))`,
      tempDir(),
    )
    expect(said.split('\n')).toEqual([
      'store_unavailable: The store cannot read or write its files at the moment: the disk is full {"code":"store_not_writable","cause":"disk_full"}',
      '1',
      'done',
      'closed',
      '',
    ])
  })

  it('no descriptor is free: what needs a new one is refused, and goes on when there are some', async () => {
    const said = await limited(
      `await store.calls.upsert('p', [call('before', 'x')])
       const raise = later('nofile', 1000)
       limit('nofile', 3)
       say('log open:', await outcome(store.calls.upsert('p', [call('during', 'x')])))
       await store.calls.erase('p', 'before')
       say('log folded into the file:', await outcome(store.calls.upsert('p', [call('refused', 'x')])), store.notReady())
       say('read:', await ids())
       await raise()
       await readyAgain()
       say(await outcome(store.calls.upsert('p', [call('after', 'x')])))`,
      tempDir(),
    )
    expect(said.split('\n')).toEqual([
      'log open: done',
      'log folded into the file: store_unavailable: The store cannot read or write its files at the moment: too many files are open {"code":"store_not_writable","cause":"no_descriptors"}',
      'read: 1',
      'done',
      'closed',
      '',
    ])
  })

  it('the directory loses its rights under way: refused, and on again when it has them back', async () => {
    const said = await limited(
      `await store.calls.upsert('p', [call('before', 'x'), call('stays', 'x')])
       await store.calls.erase('p', 'before')
       chmodSync(process.argv[1], 0o500)
       say(await outcome(store.calls.upsert('p', [call('refused', 'x')])), store.notReady())
       say(await ids())
       chmodSync(process.argv[1], 0o700)
       await readyAgain()
       say(await outcome(store.calls.upsert('p', [call('after', 'x')])))`,
      tempDir(),
    )
    expect(said.split('\n')).toEqual([
      'store_unavailable: The store cannot read or write its files at the moment: this user may not write there {"code":"store_not_writable","cause":"read_only"}',
      '1',
      'done',
      'closed',
      '',
    ])
  })
})
