import { describe, expect, test, vi } from 'vitest'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkTrail } from '../../src/activity/check-trail.js'
import { aTrail, anEvent, fileHandles, linesIn, segmentsIn } from '../support/activity.js'
import { tempDir } from '../support/temp-dir.js'

describe('a line of the audit trail', () => {
  test('is one JSON object with a number that counts up and a checksum', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(1, { rows: 3, code: 'forbidden' }))
    await trail.append(anEvent(2))
    const [first, second] = await linesIn(dataDir)
    expect(first).toEqual({
      seq: 1,
      ...anEvent(1, { rows: 3, code: 'forbidden' }),
      mac: expect.stringMatching(/^[0-9a-f]{32}$/),
      crc: expect.stringMatching(/^[0-9a-f]{8}$/),
    })
    expect(second).toMatchObject({ seq: 2, request_id: 'request-2' })
  })

  test('stands in files that nobody else can read', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(1))
    const modeOf = async (...path: string[]) => (await stat(join(dataDir, 'activity', ...path))).mode & 0o777
    expect(await modeOf()).toBe(0o700)
    expect(await modeOf('0000000000000001.jsonl')).toBe(0o600)
  })

  test('can hold any name: what a table or terminal would choke on is replaced, what is long is cut', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(1, { name: `a\u0000b\nc\ud800d${'e'.repeat(1_000)}` }))
    const [line] = await linesIn(dataDir)
    expect(line?.name).toBe(`a\u{fffd}b\u{fffd}c\u{fffd}d${'e'.repeat(493)}`)
  })

  test('holds no field that was not decided on', async () => {
    const trail = await aTrail(tempDir())
    const withArguments = { ...anEvent(1), arguments: { text: 'cancel my contract' } }
    await expect(trail.append(withArguments)).rejects.toThrow('arguments')
    expect(trail.lastSequence).toBe(0)
  })
})

describe('appending', () => {
  test('resolves when the line is synced, not before', async () => {
    const trail = await aTrail(tempDir())
    const handles = await fileHandles()
    let sync = () => undefined as void
    vi.spyOn(handles, 'datasync').mockImplementationOnce(() => new Promise(resolve => (sync = resolve)))
    let acknowledged = false
    const appended = trail.append(anEvent(1)).then(() => (acknowledged = true))
    await expect.poll(() => vi.mocked(handles.datasync).mock.calls.length).toBe(1)
    expect(acknowledged).toBe(false)
    expect(trail.lastSequence).toBe(0)
    sync()
    await appended
    expect(trail.lastSequence).toBe(1)
  })

  test('10,000 at once share a few syncs and keep their order', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    const datasync = vi.spyOn(await fileHandles(), 'datasync')
    await Promise.all(Array.from({ length: 10_000 }, (_, n) => trail.append(anEvent(n))))
    expect(datasync.mock.calls.length).toBeLessThan(50)
    const lines = await linesIn(dataDir)
    expect(lines.map(line => line.request_id)).toEqual(Array.from({ length: 10_000 }, (_, n) => `request-${n}`))
    expect(lines.map(line => line.seq)).toEqual(Array.from({ length: 10_000 }, (_, n) => n + 1))
  })

  test('is refused as busy when too many wait', async () => {
    const trail = await aTrail(tempDir(), { maxWaiting: 10 })
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => trail.append(anEvent(n))))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'busy', retryAfter: 1 } })
  })

  test('tells /ready when the disk has stopped answering', async () => {
    const trail = await aTrail(tempDir(), { stallMs: 0 })
    const handles = await fileHandles()
    let sync = () => undefined as void
    vi.spyOn(handles, 'datasync').mockImplementationOnce(() => new Promise(resolve => (sync = resolve)))
    const appended = trail.append(anEvent(1))
    await expect.poll(() => vi.mocked(handles.datasync).mock.calls.length).toBe(1)
    await expect.poll(() => trail.health()).toBe('audit_stalled')
    sync()
    await appended
    expect(trail.health()).toBeUndefined()
  })

  test('goes on where the clock was set back: time may repeat, numbers never', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(1, { at: '2026-03-15T12:00:00.000Z' }))
    await trail.append(anEvent(2, { at: '2026-03-15T11:00:00.000Z' }))
    expect((await linesIn(dataDir)).map(({ seq, at }) => [seq, at])).toEqual([
      [1, '2026-03-15T12:00:00.000Z'],
      [2, '2026-03-15T11:00:00.000Z'],
    ])
  })

  test('ends with close, which writes what waits first', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir)
    const appended = Promise.all([trail.append(anEvent(1)), trail.append(anEvent(2))])
    await trail.close()
    await appended
    await expect(trail.append(anEvent(3))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await linesIn(dataDir)).toHaveLength(2)
  })
})

describe('segments', () => {
  test('are closed by size', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir, { segmentBytes: 1_000 })
    for (let n = 1; n <= 9; n += 1) await trail.append(anEvent(n))
    const segments = await segmentsIn(dataDir)
    expect(segments.length).toBeGreaterThan(1)
    expect((await linesIn(dataDir)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await checkTrail(dataDir)).toEqual({ segments: segments.length, events: 9, damage: [] })
  })

  test('are closed by age, also while nobody asks', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir, { segmentAgeMs: 0 })
    await trail.append(anEvent(1))
    await trail.upkeep()
    expect(await segmentsIn(dataDir)).toEqual(['0000000000000001.jsonl', '0000000000000002.jsonl'])
    await trail.upkeep()
    expect(await segmentsIn(dataDir), 'an empty one is not closed').toHaveLength(2)
  })

  test('are removed when all their events are too old, the one in use never', async () => {
    const dataDir = tempDir()
    const day = 24 * 60 * 60 * 1000
    const clock = () => Date.parse('2026-03-31T00:00:00Z')
    const trail = await aTrail(dataDir, { segmentBytes: 1, retentionMs: 30 * day, clock })
    for (const [n, at] of ['2026-01-01', '2026-02-01', '2026-03-15', '2026-01-02'].entries()) {
      await trail.append(anEvent(n, { at: `${at}T00:00:00.000Z` }))
    }
    await trail.upkeep()
    expect((await linesIn(dataDir)).map(({ at }) => at.slice(0, 10))).toEqual(['2026-03-15', '2026-01-02'])
    expect(await checkTrail(dataDir)).toMatchObject({ damage: [] })
  })

  test('the one in use is kept also when all of them are too old', async () => {
    const dataDir = tempDir()
    const trail = await aTrail(dataDir, { segmentBytes: 1, retentionMs: 0, clock: () => Date.parse('2027-01-01') })
    await trail.append(anEvent(1))
    await trail.append(anEvent(2))
    await trail.upkeep()
    // Upkeep began a new one, since the last was full; the empty one in use stays.
    expect(await segmentsIn(dataDir)).toEqual(['0000000000000003.jsonl'])
    await trail.append(anEvent(3))
    expect(await linesIn(dataDir)).toMatchObject([{ seq: 3 }])
  })
})
