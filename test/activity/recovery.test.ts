import { describe, expect, test } from 'vitest'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkTrail } from '../../src/activity/check-trail.js'
import { verifyTrail } from '../../src/activity/verify-trail.js'
import { aTrail, anEvent, keptLog, linesIn, segmentsIn } from '../support/activity.js'
import { tempDir } from '../support/temp-dir.js'

/** A closed trail of so many lines, in one segment. */
async function writtenTrail(lines: number): Promise<{ dataDir: string; segment: string }> {
  const dataDir = tempDir()
  const trail = await aTrail(dataDir)
  for (let n = 1; n <= lines; n += 1) await trail.append(anEvent(n))
  await trail.close()
  return { dataDir, segment: join(dataDir, 'activity', '0000000000000001.jsonl') }
}

async function flipByteIn(file: string, text: string): Promise<void> {
  const at = (await readFile(file)).indexOf(text)
  const handle = await open(file, 'r+')
  await handle.write('X', at)
  await handle.close()
}

describe('opened again', () => {
  test('the trail goes on with the next number, in a new segment', async () => {
    const { dataDir } = await writtenTrail(3)
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(4))
    expect((await linesIn(dataDir)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(await segmentsIn(dataDir)).toEqual(['0000000000000001.jsonl', '0000000000000004.jsonl'])
  })

  test('and again without a request in between, it leaves no empty segments behind', async () => {
    const { dataDir } = await writtenTrail(1)
    for (let times = 0; times < 3; times += 1) await (await aTrail(dataDir)).close()
    expect(await segmentsIn(dataDir)).toEqual(['0000000000000001.jsonl', '0000000000000002.jsonl'])
  })

  test.each([
    ['half a line', '{"seq":4,"at":"2026-03-15T12:0'],
    ['zeros, as a power failure leaves them', '\0'.repeat(4_096)],
  ])('a torn end is cut and reported: %s', async (_, torn) => {
    const { dataDir, segment } = await writtenTrail(3)
    const { size } = await stat(segment)
    await appendFile(segment, torn)
    const log = keptLog()
    const trail = await aTrail(dataDir, { log })
    await trail.append(anEvent(4))
    expect(log.said).toEqual([`${torn.length} bytes of a torn audit line were cut off`])
    expect((await stat(segment)).size).toBe(size)
    expect((await linesIn(dataDir)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  test('damage in the middle is reported, nothing of it is thrown away, and what can be read is read', async () => {
    const { dataDir, segment } = await writtenTrail(3)
    await flipByteIn(segment, 'request-2')
    const { size } = await stat(segment)
    const log = keptLog()
    const trail = await aTrail(dataDir, { log })
    await trail.append(anEvent(4))
    expect(log.said).toEqual(['1 audit lines are damaged'])
    expect((await stat(segment)).size).toBe(size)
    const damaged = { kind: 'damaged', segment: '0000000000000001.jsonl', offset: expect.any(Number) }
    expect(await checkTrail(dataDir)).toMatchObject({ events: 3, damage: [damaged] })
  })

  test('the number of a damaged last line is not given again', async () => {
    const { dataDir, segment } = await writtenTrail(3)
    await flipByteIn(segment, 'request-3')
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(4))
    expect(trail.lastSequence).toBe(4)
  })

  test('a segment that is nothing but damage is kept, and numbers go on behind it', async () => {
    const { dataDir, segment } = await writtenTrail(2)
    await writeFile(segment, 'not\nours\n')
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(3))
    expect(await readFile(segment, 'utf8')).toBe('not\nours\n')
    expect(trail.lastSequence).toBe(3)
  })

  test('lines that are missing are reported by their numbers', async () => {
    const { dataDir, segment } = await writtenTrail(5)
    const lines = (await readFile(segment, 'utf8')).split('\n')
    await writeFile(segment, [lines[0], ...lines.slice(3)].join('\n'))
    expect(await checkTrail(dataDir)).toMatchObject({ events: 3, damage: [{ kind: 'missing', from: 2, to: 3 }] })
  })

  test('it never starts silently empty: numbers go on behind what was replayed, and the log tells of the loss', async () => {
    const { dataDir } = await writtenTrail(3)
    await rm(join(dataDir, 'activity'), { recursive: true })
    const log = keptLog()
    const trail = await aTrail(dataDir, { replayed: 3, log })
    await trail.append(anEvent(4))
    expect(trail.lastSequence).toBe(4)
    expect(log.said).toEqual(['the files of the audit trail are gone; it goes on with the next number'])
    await trail.close()
    // Also from then on.
    const { ok, findings } = await verifyTrail({ dataDir, chainSecret: 'of the tests' })
    expect([ok, findings]).toMatchObject([false, [{ kind: 'head', seq: 4 }]])
  })

  test('it goes on behind what was replayed also where only its newest files are gone', async () => {
    const { dataDir } = await writtenTrail(3)
    const log = keptLog()
    const trail = await aTrail(dataDir, { replayed: 10, log })
    await trail.append(anEvent(11))
    expect(trail.lastSequence).toBe(11)
    expect(log.said).toEqual(['the audit trail ends before what was replayed from it: lines are missing'])
  })

  test("a directory that can't be used is a sentence for the operator", async () => {
    const dataDir = tempDir()
    await writeFile(join(dataDir, 'activity'), 'a file in the way')
    await expect(aTrail(dataDir)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: `The audit trail in ${join(dataDir, 'activity')} can't be opened (EEXIST)`,
    })
  })
})

test('kill -9 at any moment loses no line that was acknowledged', async () => {
  const dataDir = tempDir()
  const program = fileURLToPath(new URL('append-until-killed.mjs', import.meta.url))
  const acknowledged = new Set<string>()
  for (const lines of [1, 50, 400, 1_200]) {
    const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    let count = 0
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      count += text.split('\n').length - 1
      if (count >= lines) child.kill('SIGKILL')
    })
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
    for (const id of said.split('\n').slice(0, -1)) acknowledged.add(id)
  }
  const trail = await aTrail(dataDir)
  const kept = await linesIn(dataDir)
  const ids = new Set(kept.map(line => line.request_id))
  expect(acknowledged.size).toBeGreaterThan(1_600)
  expect([...acknowledged].filter(id => !ids.has(id))).toEqual([])
  expect(kept.map(({ seq }) => seq)).toEqual(Array.from({ length: kept.length }, (_, n) => n + 1))
  expect(trail.lastSequence).toBe(kept.length)
  expect(await checkTrail(dataDir)).toMatchObject({ events: kept.length, damage: [] })
  const verified = await verifyTrail({ dataDir, chainSecret: 'of the tests' })
  expect(verified).toMatchObject({ ok: true, lines: kept.length, findings: [] })
})
