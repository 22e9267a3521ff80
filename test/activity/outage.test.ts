import { describe, expect, test, vi } from 'vitest'
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { checkTrail } from '../../src/activity/check-trail.js'
import { aTrail, anEvent, fileHandles, keptLog, linesIn, segmentsIn, systemError } from '../support/activity.js'
import type { FileAuditTrail } from '../../src/activity/file-audit-trail.js'
import { verifyTrail } from '../../src/activity/verify-trail.js'
import { smallDisk } from '../support/small-disk.js'
import { tempDir } from '../support/temp-dir.js'

const REFUSAL = {
  code: 'store_unavailable',
  message: "The audit trail can't be written; no answer leaves until it can",
}

describe("while the audit trail can't be written", () => {
  test.each(['ENOSPC', 'EROFS', 'EIO', 'EDQUOT'])('by %s, every waiting answer is refused', async code => {
    const trail = await aTrail(tempDir(), { retryMs: 60_000 })
    await trail.append(anEvent(1))
    vi.spyOn(await fileHandles(), 'datasync').mockRejectedValueOnce(systemError(code))
    const outcomes = await Promise.allSettled([trail.append(anEvent(2)), trail.append(anEvent(3))])
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: REFUSAL },
      { status: 'rejected', reason: REFUSAL },
    ])
    expect(trail.health()).toBe('audit_unavailable')
    await expect(trail.append(anEvent(4))).rejects.toMatchObject(REFUSAL)
  })

  test('it stays refused as long as the cause lasts, and goes on by itself when it is gone', async () => {
    const dataDir = tempDir()
    const log = keptLog()
    const trail = await aTrail(dataDir, { log })
    await trail.append(anEvent(1))
    // Where a file can't be made, the trial write before going on fails.
    const inTheWay = join(dataDir, 'activity', 'probe')
    await mkdir(inTheWay)
    const handles = await fileHandles()
    vi.spyOn(handles, 'datasync').mockRejectedValueOnce(systemError('EIO'))
    await expect(trail.append(anEvent(2))).rejects.toMatchObject(REFUSAL)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(trail.health()).toBe('audit_unavailable')

    await rmdir(inTheWay)
    await expect.poll(() => trail.health()).toBeUndefined()
    await trail.append(anEvent(3))
    expect((await linesIn(dataDir)).map(line => line.request_id)).toEqual(['request-1', 'request-3'])
    expect(log.said).toEqual([
      "the audit trail can't be written; nothing is answered until it can",
      'the audit trail can be written again',
    ])
  })

  test('half a line never stays in the middle, and its number is never given again', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(1))
    const handles = await fileHandles()
    type Write = (bytes: Buffer, from: number, length: number, at: number) => Promise<{ bytesWritten: number }>
    const write = handles.write as Write
    // The disk is full after half of the line, as write(2) reports it.
    vi.spyOn(handles, 'write')
      .mockImplementationOnce(function (this: unknown, ...[bytes, from, length, at]: Parameters<Write>) {
        return write.call(this, bytes, from, length >> 1, at)
      } as typeof handles.write)
      .mockRejectedValueOnce(systemError('ENOSPC'))
    await expect(trail.append(anEvent(2))).rejects.toMatchObject(REFUSAL)
    await expect.poll(() => trail.health()).toBeUndefined()
    await trail.append(anEvent(3))
    await trail.append(anEvent(4))
    const lines = await linesIn(dataDir)
    expect(lines.map(line => line.request_id)).toEqual(['request-1', 'request-3', 'request-4'])
    const [, third, fourth] = lines.map(({ seq }) => seq)
    expect(third).toBeGreaterThan(2)
    expect(fourth).toBe(third! + 1)
    expect(await checkTrail(dataDir), 'numbers of refused lines are not missing').toMatchObject({
      events: 3,
      damage: [],
    })
  })

  test('a refused line of the very first write leaves no trace', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    vi.spyOn(await fileHandles(), 'datasync').mockRejectedValueOnce(systemError('EIO'))
    await expect(trail.append(anEvent(1))).rejects.toMatchObject(REFUSAL)
    await expect.poll(() => trail.health()).toBeUndefined()
    await trail.append(anEvent(2))
    expect((await linesIn(dataDir)).map(line => line.request_id)).toEqual(['request-2'])
    expect(await segmentsIn(dataDir)).toHaveLength(1)
  })

  test('close does not wait for better times', async () => {
    const trail = await aTrail(tempDir(), { retryMs: 60_000 })
    vi.spyOn(await fileHandles(), 'datasync').mockRejectedValueOnce(systemError('EIO'))
    await expect(trail.append(anEvent(1))).rejects.toMatchObject(REFUSAL)
    await trail.close()
    expect(trail.health()).toBe('audit_unavailable')
  })
})

describe('lines are still written', () => {
  test("when a new segment can't be made, into the old one", async () => {
    const dataDir = tempDir()
    const log = keptLog()
    const trail = await aTrail(dataDir, { segmentBytes: 1, log })
    await trail.append(anEvent(1))
    const inTheWay = join(dataDir, 'activity', '0000000000000002.jsonl')
    await mkdir(inTheWay)
    await trail.append(anEvent(2))
    expect(log.said).toEqual(['no new audit segment could be made; going on in the old one'])
    await rmdir(inTheWay)
    expect((await linesIn(dataDir)).map(({ seq }) => seq)).toEqual([1, 2])
  })

  test('after someone deleted the whole trail under way: the loss is logged and shows as missing numbers', async () => {
    const dataDir = tempDir()
    const log = keptLog()
    const trail = await aTrail(dataDir, { log })
    await trail.append(anEvent(1))
    await rm(join(dataDir, 'activity'), { recursive: true })
    await trail.upkeep()
    await trail.append(anEvent(2))
    expect((await linesIn(dataDir)).map(({ seq }) => seq)).toEqual([2])
    expect(log.said).toEqual([
      'the head of the audit trail was deleted; it is written again',
      'the audit segment in use was deleted; its lines are lost',
    ])
    const { ok, findings } = await verifyTrail({ dataDir, chainSecret: 'of the tests' })
    expect({ ok, findings }).toMatchObject({
      ok: false,
      findings: [{ kind: 'cut', segment: '0000000000000001.jsonl' }],
    })
  })
})

test('on a disk that really fills up: refused when full, on again when there is room, nothing acknowledged lost', async context => {
  const disk = smallDisk(1)
  if (disk === undefined) return context.skip('mounting is not allowed here')
  const trail = await aTrail(disk.dir)
  await trail.append(anEvent(0))
  disk.fill()
  const acknowledged = ['request-0', ...(await appendedUntilFull(trail))]
  expect(trail.health()).toBe('audit_unavailable')
  disk.free()
  await expect.poll(() => trail.health()).toBeUndefined()
  await trail.append(anEvent(101))
  expect((await linesIn(disk.dir)).map(line => line.request_id)).toEqual([...acknowledged, 'request-101'])
  expect(await checkTrail(disk.dir)).toMatchObject({ damage: [] })
})

test.for(['by itself', 'at the next start'])(
  'a head that a full disk did not take, where it was stopped and started meanwhile, is kept %s',
  async (when, context) => {
    const disk = smallDisk(1)
    if (disk === undefined) return context.skip('mounting is not allowed here')
    const first = await aTrail(disk.dir)
    await first.append(anEvent(0))
    disk.fill()
    const lines = (await appendedUntilFull(first)).length + 1
    await first.close()
    const second = await aTrail(disk.dir)
    await expect(second.append(anEvent(101))).rejects.toMatchObject(REFUSAL)
    if (when === 'at the next start') await second.close()
    disk.free()
    const third = when === 'at the next start' ? await aTrail(disk.dir) : second
    await expect.poll(() => third.health()).toBeUndefined()
    await third.append(anEvent(102))
    expect(await verifyTrail({ dataDir: disk.dir, chainSecret: 'of the tests' })).toMatchObject({
      ok: true,
      lines: lines + 1,
      findings: [],
    })
    expect((await readdir(join(disk.dir, 'activity'))).filter(name => name.endsWith('.new'))).toEqual([])
  },
)

/** Ids of what was taken until the first was refused. */
async function appendedUntilFull(trail: FileAuditTrail): Promise<readonly string[]> {
  const taken: string[] = []
  for (let n = 1; n <= 100; n += 1) {
    const appended = await trail.append(anEvent(n)).then(
      () => true,
      () => false,
    )
    if (!appended) return taken
    taken.push(`request-${n}`)
  }
  throw new Error('the disk took a hundred lines')
}
