import { beforeAll, describe, expect, test } from 'vitest'
import { copyFile, cp, mkdtemp, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { ChainKey } from '../../src/activity/chain-key.js'
import { openAuditTrail } from '../../src/activity/open-audit-trail.js'
import { signHead } from '../../src/activity/segment-head.js'
import { type FindingKind, type TrailFinding, verifyTrail } from '../../src/activity/verify-trail.js'
import { aTrail, anEvent, keptLog, segmentsIn } from '../support/activity.js'
import { tempDir } from '../support/temp-dir.js'

const chainSecret = 'of the tests'

const verify = (dataDir: string, anchorFile?: string) =>
  verifyTrail({ dataDir, chainSecret, ...(anchorFile !== undefined && { anchorFile }) })

const SEGMENTS = ['0000000000000001.jsonl', '0000000000000005.jsonl', '0000000000000009.jsonl'] as const

/** A closed trail of twelve lines in three segments of four, and its anchor: written once, and copied for each test. */
let written: string
beforeAll(async () => {
  written = await mkdtemp(join(tmpdir(), 'earshot-trail-'))
  const [dataDir, anchorFile] = [join(written, 'data'), join(written, 'anchor')]
  for (let run = 0; run < 3; run += 1) {
    const trail = await openAuditTrail({ dataDir, anchorFile, chainSecret, sessionSecret: chainSecret })
    for (let n = 1; n <= 4; n += 1) await trail.append(anEvent(run * 4 + n))
    await trail.close()
  }
  return () => rm(written, { recursive: true })
})

async function aWrittenTrail(anchorFile?: string): Promise<string> {
  const dataDir = tempDir()
  await cp(join(written, 'data'), dataDir, { recursive: true })
  if (anchorFile !== undefined) await copyFile(join(written, 'anchor'), anchorFile)
  return dataDir
}

type Lines = readonly string[]

/** A forger at work in a copy of the trail: knows the format, sets every checksum right, and has no secret. */
class Forger {
  readonly #folder: string
  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'activity')
  }

  path(name: string): string {
    return join(this.#folder, name)
  }

  async lines(segment: number): Promise<Lines> {
    return (await readFile(this.path(SEGMENTS[segment]!), 'utf8')).split('\n').slice(0, -1)
  }

  async edit(segment: number, change: (lines: Lines) => Lines): Promise<void> {
    const lines = change(await this.lines(segment))
    await writeFile(this.path(SEGMENTS[segment]!), lines.map(line => `${line}\n`).join(''))
  }
}

/** The line with its checksum made right again, as anyone can. */
function withChecksum(text: string): string {
  const open = text.replace(/,"crc":"[0-9a-f]{8}"\}$/, '')
  return `${open},"crc":"${crc32(open).toString(16).padStart(8, '0')}"}`
}

const changed = (line: string, from: string | RegExp, to: string) => {
  const made = line.replace(from, to)
  if (made === line) throw new Error(`nothing to forge in ${line}`)
  return withChecksum(made)
}

const at = (index: number, change: (line: string) => string) => (lines: Lines) =>
  lines.map((line, i) => (i === index ? change(line) : line))
const without =
  (from: number, count = 1) =>
  (lines: Lines) =>
    lines.toSpliced(from, count)
const swapped = (one: number, other: number) => (lines: Lines) =>
  lines.with(one, lines[other]!).with(other, lines[one]!)
const added = (index: number, line: (lines: Lines) => string) => (lines: Lines) =>
  lines.toSpliced(index, 0, line(lines))

const headOf = (segment: number) => SEGMENTS[segment]!.replace('.jsonl', '.head')

/** Opened, written to and closed, twice: what the first start leaves is what the second finds. */
async function startedTwice(dataDir: string, options: Parameters<typeof aTrail>[1] = {}): Promise<void> {
  for (const n of [1, 2]) {
    const trail = await aTrail(dataDir, options)
    await trail.append(anEvent(100 + n))
    await trail.close()
  }
}

interface Forgery {
  readonly name: string
  readonly forge: (forger: Forger, dataDir: string) => Promise<void>
  /** What has to be among the findings. */
  readonly found: {
    readonly kind: FindingKind | readonly FindingKind[]
    readonly seq?: number
    readonly segment?: string
  }
}

const forgeries: Forgery[] = []
const forgery = (name: string, forge: Forgery['forge'], found: Forgery['found']) =>
  forgeries.push({ name, forge, found })

const fields: readonly (readonly [name: string, from: string | RegExp, to: string])[] = [
  ['who asked', '"credential_id":"key_a"', '"credential_id":"key_b"'],
  ['the name', 'Claude of Ann', 'Claude of Bob'],
  ['when', '2026-03-15T12', '2026-03-16T12'],
  ['the project', '"project_id":"p"', '"project_id":"q"'],
  ['the roles', '["Admin"]', '[]'],
  ['what was asked', 'search_calls', 'get_signals'],
  ['the outcome', '"outcome":"ok"', '"outcome":"refused"'],
  ['the transport', '"transport":"mcp"', '"transport":"rest"'],
  ['how long it took', '"duration_ms":1.5', '"duration_ms":1.6'],
  ['the request id', 'request-', 'request_'],
  ['the source', 'application_key', 'operator'],
]
for (const [name, from, to] of fields) {
  forgery(
    `${name} changed`,
    forger =>
      forger.edit(
        1,
        at(1, line => changed(line, from, to)),
      ),
    { kind: 'changed', seq: 6 },
  )
}
for (const [where, segment, index, seq] of [
  ['first line of all', 0, 0, 1],
  ['last line of a segment', 0, 3, 4],
  ['first line of a later segment', 1, 0, 5],
  ['last line of all', 2, 3, 12],
] as const) {
  const to = (forger: Forger) =>
    forger.edit(
      segment,
      at(index, line => changed(line, 'search_calls', 'get_signals')),
    )
  forgery(`the ${where} changed`, to, { kind: 'changed', seq })
}
forgery(
  'a field added',
  f =>
    f.edit(
      1,
      at(1, line => changed(line, ',"mac"', ',"rows":0,"mac"')),
    ),
  { kind: 'changed', seq: 6 },
)
forgery(
  'a field removed',
  f =>
    f.edit(
      1,
      at(1, line => changed(line, ',"duration_ms":1.5', '')),
    ),
  { kind: 'changed', seq: 6 },
)
forgery(
  'fields in another order',
  f =>
    f.edit(
      1,
      at(1, line => changed(line, '"outcome":"ok","duration_ms":1.5', '"duration_ms":1.5,"outcome":"ok"')),
    ),
  { kind: 'changed', seq: 6 },
)
forgery(
  'a blank in a line',
  f =>
    f.edit(
      1,
      at(1, line => changed(line, '"outcome":', '"outcome": ')),
    ),
  { kind: 'changed', seq: 6 },
)
forgery(
  'a checksum changed',
  f =>
    f.edit(
      1,
      at(1, line => line.replace(/.{3}"\}$/, 'fff"}')),
    ),
  { kind: 'changed', seq: 6 },
)
forgery(
  'a seal changed',
  f =>
    f.edit(
      1,
      at(1, line => changed(line, /"mac":"[0-9a-f]{32}"/, `"mac":"${'0'.repeat(32)}"`)),
    ),
  { kind: 'changed', seq: 6 },
)
forgery(
  'a seal removed',
  f =>
    f.edit(
      1,
      at(1, line => changed(line, /,"mac":"[0-9a-f]{32}"/, '')),
    ),
  { kind: 'inserted', seq: 6 },
)
forgery(
  'all seals of a segment removed',
  f => f.edit(1, lines => lines.map(line => changed(line, /,"mac":"[0-9a-f]{32}"/, ''))),
  { kind: 'inserted', seq: 5 },
)
forgery(
  'the seals of the oldest segment removed, as if from before the chain',
  f => f.edit(0, lines => lines.map(line => changed(line, /,"mac":"[0-9a-f]{32}"/, ''))),
  { kind: 'inserted', seq: 1 },
)
forgery(
  'a line changed and the seal of another put on it',
  async f => {
    const [first] = await f.lines(0)
    const mac = /"mac":"[0-9a-f]{32}"/.exec(first!)![0]
    await f.edit(
      1,
      at(1, line => changed(line, /"mac":"[0-9a-f]{32}"/, mac)),
    )
  },
  { kind: 'changed', seq: 6 },
)
forgery(
  'a line sealed with a secret of the forger',
  async f => {
    const key = new ChainKey('of the forger')
    const [before] = await f.lines(1)
    const previous = /"mac":"([0-9a-f]{32})"/.exec(before!)![1]!
    await f.edit(
      1,
      at(1, line => {
        const text = line.slice(0, line.indexOf(',"mac"')).replace('search_calls', 'get_signals')
        return withChecksum(`${text},"mac":"${key.mac(previous, text)}","crc":"00000000"}`)
      }),
    )
  },
  { kind: 'changed', seq: 6 },
)
forgery(
  'a line set to another number',
  f =>
    f.edit(
      1,
      at(1, line => changed(line, '"seq":6', '"seq":7')),
    ),
  { kind: ['missing', 'changed'] },
)
forgery(
  'all later lines given the number below',
  f =>
    f.edit(1, lines =>
      lines.toSpliced(1, 1).map((line, i) => (i === 0 ? line : changed(line, /"seq":\d+/, `"seq":${5 + i}`))),
    ),
  { kind: 'changed', seq: 6 },
)
forgery('a line in the middle removed', f => f.edit(1, without(1)), { kind: 'missing', seq: 6 })
forgery('two lines in the middle removed', f => f.edit(1, without(1, 2)), { kind: 'missing', seq: 6 })
forgery(
  'a line removed, and the next one says that it was passed over',
  f => f.edit(1, lines => at(1, line => changed(line, /"seq":(\d+),/, '"seq":$1,"after":5,'))(without(1)(lines))),
  { kind: 'missing', seq: 6 },
)
forgery('the first line of all removed', f => f.edit(0, without(0)), { kind: ['missing', 'changed'] })
forgery('the last line of a closed segment removed', f => f.edit(0, without(3)), { kind: 'missing', seq: 4 })
forgery('the first line of a later segment removed', f => f.edit(1, without(0)), { kind: 'missing', seq: 5 })
forgery('the last line of all removed', f => f.edit(2, without(3)), { kind: 'cut', seq: 12 })
forgery('the last two lines removed', f => f.edit(2, without(2, 2)), { kind: 'cut', seq: 11 })
forgery('all lines of the last segment removed', f => f.edit(2, without(0, 4)), { kind: 'cut', seq: 9 })
forgery(
  'the last line cut in its middle, as if torn by a crash',
  async f => {
    const path = f.path(SEGMENTS[2])
    await writeFile(path, (await readFile(path)).subarray(0, -40))
  },
  { kind: 'cut', seq: 12 },
)
forgery(
  'the last line end removed',
  async f => {
    const path = f.path(SEGMENTS[2])
    await writeFile(path, (await readFile(path)).subarray(0, -1))
  },
  { kind: 'cut', seq: 12 },
)
forgery('two lines swapped', f => f.edit(1, swapped(1, 2)), { kind: 'reordered', seq: 6 })
forgery('two lines far from each other swapped', f => f.edit(1, swapped(0, 3)), { kind: ['reordered', 'missing'] })
forgery(
  'two lines swapped and their numbers with them',
  f =>
    f.edit(1, lines =>
      at(2, line => changed(line, '"seq":6', '"seq":7'))(
        at(1, line => changed(line, '"seq":7', '"seq":6'))(swapped(1, 2)(lines)),
      ),
    ),
  { kind: 'changed', seq: 6 },
)
forgery('a segment in reverse', f => f.edit(1, lines => lines.toReversed()), { kind: ['reordered', 'missing'] })
forgery(
  'a line twice',
  f =>
    f.edit(
      1,
      added(2, lines => lines[1]!),
    ),
  { kind: 'inserted', seq: 6 },
)
forgery(
  'an older line again',
  f =>
    f.edit(
      1,
      added(4, lines => lines[0]!),
    ),
  { kind: 'inserted', seq: 5 },
)
forgery(
  'a line of an older segment again',
  async f => {
    const [first] = await f.lines(0)
    await f.edit(
      1,
      added(2, () => first!),
    )
  },
  { kind: 'inserted', seq: 1 },
)
forgery(
  'a made-up line in the middle',
  f =>
    f.edit(
      1,
      added(1, lines => changed(lines[1]!, 'search_calls', 'get_signals')),
    ),
  { kind: 'inserted', seq: 6 },
)
forgery(
  'a made-up line without a seal',
  f =>
    f.edit(
      1,
      added(1, lines => changed(lines[1]!, /,"mac":"[0-9a-f]{32}"/, '')),
    ),
  { kind: 'inserted', seq: 6 },
)
forgery(
  'a made-up line at the end',
  f =>
    f.edit(
      2,
      added(4, lines => changed(lines[3]!, '"seq":12', '"seq":13')),
    ),
  { kind: 'changed', seq: 13 },
)
forgery(
  'text that is no line',
  f =>
    f.edit(
      1,
      added(1, () => 'not ours'),
    ),
  { kind: 'changed', segment: SEGMENTS[1] },
)
forgery(
  'an empty line',
  f =>
    f.edit(
      1,
      added(1, () => ''),
    ),
  { kind: 'changed', segment: SEGMENTS[1] },
)
forgery(
  'bytes behind the last line of a closed segment',
  async f => {
    const path = f.path(SEGMENTS[0])
    await writeFile(path, `${await readFile(path, 'utf8')}{"seq":`)
  },
  { kind: 'inserted', segment: SEGMENTS[0] },
)
forgery(
  'a line moved to the next segment',
  async f => {
    const last = (await f.lines(0))[3]!
    await f.edit(0, without(3))
    await f.edit(
      1,
      added(0, () => last),
    )
  },
  { kind: ['cut', 'missing'], segment: SEGMENTS[0] },
)
forgery('the oldest segment removed', f => unlink(f.path(SEGMENTS[0])), { kind: 'cut', segment: SEGMENTS[0] })
forgery(
  'the oldest segment and its head removed, as if by retention',
  async f => {
    await unlink(f.path(SEGMENTS[0]))
    await unlink(f.path('0000000000000001.head'))
  },
  { kind: 'cut', segment: SEGMENTS[0] },
)
forgery('a segment in the middle removed', f => unlink(f.path(SEGMENTS[1])), { kind: 'missing', seq: 5 })
forgery('the newest segment removed', f => unlink(f.path(SEGMENTS[2])), { kind: 'cut', seq: 9 })
forgery(
  'all segments removed',
  async f => {
    for (const name of SEGMENTS) await unlink(f.path(name))
  },
  { kind: 'cut' },
)
forgery(
  'two segments under each other’s name',
  async f => {
    await rename(f.path(SEGMENTS[0]), f.path('x'))
    await rename(f.path(SEGMENTS[1]), f.path(SEGMENTS[0]))
    await rename(f.path('x'), f.path(SEGMENTS[1]))
  },
  { kind: ['missing', 'reordered', 'changed', 'inserted', 'unproven'] },
)
forgery('a segment copied under a later name', f => copyFile(f.path(SEGMENTS[1]), f.path('0000000000000007.jsonl')), {
  kind: ['inserted', 'head'],
})
forgery('a signed head removed', f => unlink(f.path('0000000000000005.head')), { kind: 'head', segment: SEGMENTS[1] })
forgery(
  'a signed head changed',
  async f => {
    const path = f.path('0000000000000005.head')
    await writeFile(path, (await readFile(path, 'utf8')).replace('"last":8', '"last":7'))
  },
  { kind: 'head', segment: SEGMENTS[1] },
)
forgery(
  'a head signed by the forger',
  async f => {
    const key = new ChainKey('of the forger')
    const head = {
      segment: SEGMENTS[1],
      last: 8,
      mac: '0'.repeat(32),
      previous: '0'.repeat(32),
      bytes: 1,
      sha256: '0'.repeat(64),
    }
    await writeFile(f.path('0000000000000005.head'), signHead(head, key))
  },
  { kind: 'head', segment: SEGMENTS[1] },
)
forgery(
  'the head of another segment in its place',
  f => copyFile(f.path('0000000000000001.head'), f.path('0000000000000005.head')),
  { kind: ['head', 'cut', 'inserted', 'missing'], segment: SEGMENTS[1] },
)
forgery('the head of the trail removed', f => rm(f.path('head.json')), { kind: 'head' })
forgery('all of the trail removed', f => rm(f.path('.'), { recursive: true }), { kind: 'head', segment: 'head.json' })
forgery(
  'all that is in its directory removed',
  async f => {
    for (const name of await readdir(f.path('.'))) await rm(f.path(name))
  },
  { kind: 'head', segment: 'head.json' },
)
forgery(
  'the head of the trail changed, and the last line cut',
  async f => {
    const path = f.path('head.json')
    await writeFile(path, (await readFile(path, 'utf8')).replace('"seq":12', '"seq":11'))
    await f.edit(2, without(3))
  },
  { kind: 'head' },
)
forgery(
  'the head of the trail removed, and it was started since',
  async (f, dataDir) => {
    await rm(f.path('head.json'))
    await f.edit(2, without(3))
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(13))
    await trail.close()
  },
  { kind: 'head' },
)
forgery(
  'lines cut from the end, and it was started since',
  async (f, dataDir) => {
    await f.edit(2, without(2, 2))
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(13))
    await trail.close()
  },
  { kind: 'missing', seq: 11 },
)
for (const [name, gone] of [
  ['removed', (path: string) => rm(path)],
  ['emptied', (path: string) => writeFile(path, '')],
] as const) {
  forgery(
    `lines cut from the middle, the head of their segment ${name}, and it was started since`,
    async (f, dataDir) => {
      await f.edit(1, without(3))
      await gone(f.path(headOf(1)))
      await startedTwice(dataDir)
    },
    { kind: 'missing', seq: 8 },
  )
  forgery(
    `the newest segment cut, its head ${name}, and it was started since`,
    async (f, dataDir) => {
      await f.edit(2, without(3))
      await gone(f.path(headOf(2)))
      await startedTwice(dataDir)
    },
    { kind: 'head', segment: SEGMENTS[2] },
  )
  forgery(
    `a line changed, the head of its segment ${name}, and it was started since`,
    async (f, dataDir) => {
      await f.edit(
        1,
        at(2, line => changed(line, 'search_calls', 'get_signals')),
      )
      await gone(f.path(headOf(1)))
      await startedTwice(dataDir)
    },
    { kind: 'head', segment: SEGMENTS[1] },
  )
  forgery(
    `a segment removed, the head of the next ${name}, and it was started since`,
    async (f, dataDir) => {
      await rm(f.path(SEGMENTS[0]))
      await gone(f.path(headOf(1)))
      await startedTwice(dataDir)
    },
    { kind: 'head', segment: SEGMENTS[1] },
  )
}
forgery(
  'the head of a segment changed, and it was started since',
  async (f, dataDir) => {
    const path = f.path(headOf(1))
    await writeFile(path, (await readFile(path, 'utf8')).replace('"last":8', '"last":7'))
    await startedTwice(dataDir)
  },
  { kind: 'head', segment: SEGMENTS[1] },
)
forgery(
  'the newest segment cut where only the table knows what was last, the head of the trail put back, and it was started since',
  async (f, dataDir) => {
    const earlier = await readFile(f.path('head.json'))
    const trail = await aTrail(dataDir)
    for (let n = 13; n <= 16; n += 1) await trail.append(anEvent(n))
    const newest = f.path('0000000000000013.jsonl')
    const before = (await readFile(newest, 'utf8')).split('\n')
    await trail.close()
    await writeFile(
      newest,
      before
        .slice(0, 2)
        .map(line => `${line}\n`)
        .join(''),
    )
    await writeFile(f.path('head.json'), earlier)
    await rm(f.path('0000000000000013.head'))
    await startedTwice(dataDir, { replayed: 16 })
  },
  { kind: 'head', segment: '0000000000000013.jsonl' },
)
forgery(
  'the newest segment removed, and it was started since',
  async (f, dataDir) => {
    await unlink(f.path(SEGMENTS[2]))
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(13))
    await trail.close()
  },
  { kind: 'missing', seq: 9 },
)

describe('a trail that nobody touched', () => {
  test('verifies, over runs and segments, while it is written and when it is closed', async () => {
    const dataDir = await aWrittenTrail()
    expect(await segmentsIn(dataDir)).toEqual([...SEGMENTS])
    expect(await verify(dataDir)).toEqual({
      ok: true,
      segments: 3,
      lines: 12,
      before_chain: 0,
      from: 1,
      to: 12,
      torn_bytes: 0,
      findings: [],
      more: false,
    })
    const trail = await aTrail(dataDir, { segmentBytes: 1_000 })
    for (let n = 13; n < 25; n += 1) {
      await trail.append(anEvent(n))
      expect(await verify(dataDir)).toMatchObject({ ok: true, to: n, findings: [] })
    }
  })

  test('verifies when old segments were removed by retention', async () => {
    const dataDir = await aWrittenTrail()
    const trail = await aTrail(dataDir, { retentionMs: 1, segmentBytes: 1 })
    await trail.append(anEvent(13, { at: new Date(Date.now() + 60_000).toISOString() }))
    await trail.upkeep()
    expect(await segmentsIn(dataDir)).not.toContain(SEGMENTS[2])
    expect(await verify(dataDir)).toMatchObject({ ok: true, findings: [] })
    await trail.close()
    const again = await aTrail(dataDir)
    await again.append(anEvent(14))
    expect(await verify(dataDir)).toMatchObject({ ok: true, findings: [] })
  })

  test('the torn end of a crash is no forgery: nothing that was acknowledged is gone', async () => {
    const dataDir = await aWrittenTrail()
    const last = join(dataDir, 'activity', SEGMENTS[2])
    await writeFile(last, `${await readFile(last, 'utf8')}{"seq":13,"at":"2026-03`)
    expect(await verify(dataDir)).toMatchObject({ ok: true, to: 12, torn_bytes: 23 })
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(13))
    expect(await verify(dataDir)).toMatchObject({ ok: true, to: 13, torn_bytes: 0 })
  })

  test.each(SEGMENTS)('is signed again where a full disk left no head, or an empty one: %s', async segment => {
    for (const empty of [true, false]) {
      const anchorFile = join(tempDir(), 'anchor')
      const dataDir = await aWrittenTrail()
      const head = join(dataDir, 'activity', segment.replace('.jsonl', '.head'))
      await (empty ? writeFile(head, '') : rm(head))
      const log = keptLog()
      const trail = await aTrail(dataDir, { anchorFile, log })
      await trail.append(anEvent(13))
      expect(await verify(dataDir)).toMatchObject({ ok: true, to: 13, findings: [] })
      expect(await readFile(anchorFile, 'utf8')).toBe(await readFile(head, 'utf8'))
      // The newest is signed by what the head of the trail vouches for, as after a crash.
      expect(log.said).toHaveLength(segment === SEGMENTS[2] ? 0 : 1)
    }
  })

  test('is signed again where no head was left at all, one segment after the other', async () => {
    const dataDir = await aWrittenTrail()
    for (const segment of SEGMENTS) await rm(join(dataDir, 'activity', segment.replace('.jsonl', '.head')))
    const trail = await aTrail(dataDir)
    expect(await verify(dataDir)).toMatchObject({ ok: true, to: 12, findings: [] })
    await trail.close()
  })

  test('is signed again behind a start that was killed before its first line', async () => {
    const dataDir = await aWrittenTrail()
    const killed = tempDir()
    const trail = await aTrail(dataDir)
    await rm(join(dataDir, 'activity', SEGMENTS[2].replace('.jsonl', '.head')))
    await cp(dataDir, killed, { recursive: true })
    await trail.close()
    const again = await aTrail(killed)
    await again.append(anEvent(13))
    expect(await verify(killed)).toMatchObject({ ok: true, to: 13, findings: [] })
  })

  test('lines from before the chain are counted as such', async () => {
    const dataDir = await aWrittenTrail()
    const old = new Forger(dataDir)
    for (const segment of [0, 1, 2]) {
      await old.edit(segment, lines => lines.map(line => changed(line, /,"mac":"[0-9a-f]{32}"/, '')))
      await rm(old.path(SEGMENTS[segment]!.replace('.jsonl', '.head')))
    }
    await rm(old.path('head.json'))
    const trail = await aTrail(dataDir)
    await trail.append(anEvent(13))
    expect(await verify(dataDir)).toMatchObject({ ok: true, before_chain: 12, lines: 1, findings: [] })
  })
})

describe('a forgery is found', () => {
  test('in at least fifty ways', () => expect(forgeries.length).toBeGreaterThanOrEqual(50))

  test.each(forgeries)('$name', async ({ forge, found }) => {
    const dataDir = await aWrittenTrail()
    await forge(new Forger(dataDir), dataDir)
    const { ok, findings } = await verify(dataDir)
    expect(ok).toBe(false)
    const kinds = new Set([found.kind].flat())
    const meant = (one: TrailFinding) =>
      kinds.has(one.kind) &&
      (found.seq === undefined || one.seq === found.seq) &&
      (found.segment === undefined || one.segment === found.segment)
    expect(findings).toSatisfy((all: readonly TrailFinding[]) => all.some(meant))
  })
})

describe('with an anchor elsewhere', () => {
  test('the whole directory put back to an earlier state is found, and so is a segment written anew with the secret', async () => {
    const anchorFile = join(tempDir(), 'anchor')
    const dataDir = await aWrittenTrail(anchorFile)
    expect(await verify(dataDir, anchorFile)).toMatchObject({ ok: true })
    expect(await verify(dataDir, `${anchorFile}-gone`)).toMatchObject({ ok: false, findings: [{ kind: 'anchor' }] })
    const earlier = tempDir()
    await cp(dataDir, earlier, { recursive: true })
    const trail = await aTrail(dataDir, { anchorFile })
    await trail.append(anEvent(13))
    await trail.close()
    expect(await verify(dataDir, anchorFile)).toMatchObject({ ok: true })
    expect(await verify(earlier)).toMatchObject({ ok: true })
    expect(await verify(earlier, anchorFile)).toMatchObject({ ok: false, findings: [{ kind: 'anchor', seq: 13 }] })
    const rewritten = await aWrittenTrail()
    const other = tempDir()
    await cp(rewritten, other, { recursive: true })
    await rm(join(other, 'activity'), { recursive: true })
    const forged = await aTrail(other)
    await forged.append(anEvent(1, { page: 'get_signals' }))
    await forged.close()
    expect(await verify(other, anchorFile)).toMatchObject({ ok: false })
  })
})
