import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { anchorState, HeadAnchor } from '../../src/activity/head-anchor.js'
import { verifyTrail } from '../../src/activity/verify-trail.js'
import { aTrail, anEvent, keptLog } from '../support/activity.js'
import { tempDir } from '../support/temp-dir.js'

const chainSecret = 'of the tests'
const address = 'https://anchor.example.com/heads?token=hush'

/** Writes segments, one with every number of lines. */
async function write(dataDir: string, lines: readonly number[], page = 'search_calls'): Promise<void> {
  for (const count of lines) {
    const trail = await aTrail(dataDir)
    for (let n = 0; n < count; n += 1) await trail.append(anEvent(n, { page }))
    await trail.close()
  }
}

/** Somebody elsewhere, who keeps what was sent, a line each. */
function aReceiver(
  dataDir: string,
  { at = address, answers = (): string | undefined => undefined, log = keptLog() } = {},
) {
  const lines: string[] = []
  const asked: string[] = []
  const anchor = new HeadAnchor({
    dataDir,
    chainSecret,
    address: at,
    log,
    intervalMs: 1,
    send: async line => {
      asked.push(line)
      const refused = answers()
      if (refused === undefined) lines.push(line)
      return refused
    },
  })
  onTestFinished(() => anchor.close())
  return { anchor, lines, asked, lasts: () => lines.map(line => (JSON.parse(line) as { last: number }).last) }
}

test('every signed head is sent once, in order, also by the next run and where a segment comes later', async () => {
  const dataDir = tempDir()
  await write(dataDir, [2, 1])
  const first = aReceiver(dataDir)
  await expect.poll(first.lasts).toEqual([2, 3])
  await first.anchor.close()
  expect(await anchorState({ dataDir, chainSecret, address })).toMatchObject({
    waiting: [],
    anchored: { segment: '0000000000000003.jsonl', last: 3 },
  })
  await write(dataDir, [1])
  expect((await anchorState({ dataDir, chainSecret, address })).waiting).toHaveLength(1)
  const second = aReceiver(dataDir)
  await expect.poll(second.lasts).toEqual([4])
  await write(dataDir, [2])
  await expect.poll(second.lasts).toEqual([4, 6])
  await second.anchor.close()
  // Another address has none of them; neither is written down, since it may hold a secret.
  const other = aReceiver(dataDir, { at: 'https://other.example.com/' })
  await expect.poll(other.lasts).toEqual([2, 3, 4, 6])
  await other.anchor.close()
  expect(await readFile(join(dataDir, 'audit-anchor.json'), 'utf8')).not.toContain('example')
})

test('a head that is not taken is sent again and none goes ahead of it; how long, and why, is known meanwhile', async () => {
  const dataDir = tempDir()
  await write(dataDir, [1, 1])
  let refuses: string | undefined = 'answered 503'
  const log = keptLog()
  const receiver = aReceiver(dataDir, { answers: () => refuses, log })
  await expect.poll(() => receiver.asked.length).toBeGreaterThan(2)
  expect(new Set(receiver.asked).size).toBe(1)
  const failing = async () => (await anchorState({ dataDir, chainSecret, address })).failing
  const since = (await failing())?.since
  refuses = 'timeout'
  await expect.poll(failing).toEqual({ since, why: 'timeout' })
  expect((await anchorState({ dataDir, chainSecret, address })).waiting).toHaveLength(2)
  refuses = undefined
  await expect.poll(receiver.lasts).toEqual([1, 2])
  await expect
    .poll(() => log.said)
    .toEqual([
      'a signed head of the audit trail could not be anchored; trying again',
      'the signed heads of the audit trail are anchored again',
    ])
  const state = await anchorState({ dataDir, chainSecret, address })
  expect(state).toEqual({ waiting: [], anchored: expect.objectContaining({ last: 2 }) })
})

test('a head that is not as it was signed is not sent as if it were', async () => {
  const dataDir = tempDir()
  await write(dataDir, [1, 1])
  const head = join(dataDir, 'activity', '0000000000000001.head')
  await writeFile(head, (await readFile(head, 'utf8')).replace('"last":1', '"last":9'))
  const receiver = aReceiver(dataDir)
  await expect.poll(receiver.lasts).toEqual([2])
})

test('a trail that was written anew, whole and with the key, is told by what was received, however that was kept', async () => {
  const dataDir = tempDir()
  await write(dataDir, [2, 2])
  const receiver = aReceiver(dataDir)
  await expect.poll(receiver.lasts).toEqual([2, 4])
  await receiver.anchor.close()
  const anchorFile = join(tempDir(), 'received.ndjson')
  const anewWith = (line: string) =>
    JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line) as object).toReversed()), null, ' ')
  await writeFile(anchorFile, receiver.lines.map(line => `${anewWith(line).replaceAll('\n', '')}\n`).join(''))
  const verify = (file?: string) =>
    verifyTrail({ dataDir, chainSecret, ...(file !== undefined && { anchorFile: file }) })
  expect(await verify(anchorFile)).toMatchObject({ ok: true })

  await rm(join(dataDir, 'activity'), { recursive: true })
  await write(dataDir, [2, 2], 'get_signals')
  expect(await verify()).toMatchObject({ ok: true, lines: 4 })
  expect(await verify(anchorFile)).toMatchObject({
    ok: false,
    findings: [
      { kind: 'anchor', segment: '0000000000000001.jsonl' },
      { kind: 'anchor', segment: '0000000000000003.jsonl' },
    ],
  })

  // With a key of one's own nothing that was received is signed by it.
  expect(await verifyTrail({ dataDir, chainSecret: 'another', anchorFile })).toMatchObject({ ok: false })
  const changed = (await readFile(anchorFile, 'utf8')).replace(/"last": 2/, '"last": 1')
  await writeFile(anchorFile, changed)
  expect((await verify(anchorFile)).findings).toContainEqual(
    expect.objectContaining({ kind: 'anchor', line: 1, what: 'line 1 of the anchor is not as it was signed' }),
  )
  expect(await readdir(join(dataDir, 'activity'))).toContain('0000000000000001.head')
})
