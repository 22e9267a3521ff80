import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { formats } from '../../src/ingest/formats/formats.js'
import { importCalls, type ImportOptions, type ImportProgress } from '../../src/ingest/import-calls.js'
import { CallShelf } from '../support/call-shelf.js'
import { tempDir } from '../support/temp-dir.js'

const call = (id: string, more: object = {}) => ({
  session_id: id,
  agent_name: 'Ann Lee',
  created_dt: '2026-03-01T12:00:00.000Z',
  ...more,
})
const line = (id: string, more: object = {}) => `${JSON.stringify(call(id, more))}\n`

/** Imports the content of one file into an empty project. */
async function importing(content: string | Uint8Array, options: Partial<ImportOptions> = {}, shelf = new CallShelf()) {
  const stream = Readable.from([Buffer.from(content)])
  const inputs = [{ name: 'calls.ndjson', stream }]
  const report = await importCalls({
    inputs,
    redact: false,
    evaluate: undefined,
    projectId: 'demo',
    store: shelf,
    workers: 0,
    ...options,
  })
  return { shelf, report, errors: report.errors.map(({ line, path, message }) => ({ line, path, message })) }
}

const closed = { received: 0, stored: 0, rejected: 0 }

const known = formats.map(({ name }) => JSON.stringify(name)).join(', ')

describe('what import reads', () => {
  it('takes one call record a line, with CRLF, blank lines and a byte-order mark', async () => {
    const { shelf, report } = await importing(
      `\ufeff${line('a')}\r\n\n   \n${line('b').replace('\n', '\r\n')}${line('c').trim()}`,
    )
    expect(report).toMatchObject({ files: 1, received: 3, stored: 3, rejected: 0, duplicates: 0, errors: [] })
    expect(shelf.ids).toEqual(['a', 'b', 'c'])
  })

  it.each([
    ['an array', JSON.stringify([call('a'), call('b')])],
    ['a pretty-printed array', JSON.stringify([call('a'), call('b')], null, 2)],
    ['objects laid out over several lines', [call('a'), call('b')].map(one => JSON.stringify(one, null, 2)).join('\n')],
    ['one object on one line', `${line('a')}${line('b')}`],
  ])('takes %s', async (_what, content) => {
    const { shelf, report } = await importing(content)
    expect(report).toMatchObject({ received: 2, stored: 2, rejected: 0 })
    expect(shelf.record('b')).toMatchObject(call('b'))
  })

  it('takes gzip by its content, of several members too', async () => {
    const { report, shelf } = await importing(Buffer.concat([gzipSync(line('a')), gzipSync(line('b'))]))
    expect(report).toMatchObject({ received: 2, stored: 2 })
    expect(shelf.ids).toEqual(['a', 'b'])
  })

  it('walks folders in the order of names, leaving hidden files and those of no known format out', async () => {
    const folder = tempDir()
    mkdirSync(join(folder, 'b'))
    writeFileSync(join(folder, 'b', 'one.ndjson'), line('b'))
    writeFileSync(join(folder, 'a.json'), JSON.stringify([call('a')]))
    writeFileSync(join(folder, '.hidden.ndjson'), line('hidden'))
    writeFileSync(join(folder, 'README.md'), '# Calls')
    const { report, shelf } = await importing('', { inputs: [folder] })
    expect(report).toMatchObject({ files: 2, stored: 2, rejected: 0, skipped_files: 1 })
    expect(report.skipped).toEqual([join(folder, 'README.md')])
    expect(shelf.ids).toEqual(['a', 'b'])
  })

  it('rejects a file of no known format that was named', async () => {
    const { errors } = await importing('# Calls')
    expect(errors).toEqual([{ line: 1, path: '', message: `is of no format import knows (${known})` }])
  })

  it('reads nothing when a named file does not exist', async () => {
    const inputs = [{ name: 'x', stream: Readable.from([line('a')]) }, '/nowhere/calls.ndjson']
    const shelf = new CallShelf()
    await expect(
      importCalls({ inputs, redact: false, evaluate: undefined, projectId: 'demo', store: shelf }),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(shelf.ids).toEqual([])
  })

  it('refuses an unknown format with the known ones', async () => {
    await expect(importing(line('a'), { format: 'csv2' })).rejects.toThrow(
      `Unknown import format "csv2" (known: ${known})`,
    )
  })

  it('has nothing to say about an empty file', async () => {
    expect((await importing('')).report).toMatchObject({ ...closed, errors: [] })
    expect((await importing('[]')).report).toMatchObject({ ...closed, errors: [] })
  })
})

describe('bad lines cost only themselves', () => {
  const bad: readonly (readonly [string, string | Buffer, { path: string; message: string }])[] = [
    ['a score of 7', line('x', { score: 7 }), { path: 'score', message: 'must be between 1 and 5' }],
    [
      'the year 300000',
      line('x', { created_dt: '+300000-01-01T00:00:00Z' }),
      {
        path: 'created_dt',
        message: 'is not an ISO 8601 date-time with an offset, such as 2026-03-01T12:00:00Z',
      },
    ],
    [
      'a day that does not exist',
      line('x', { created_dt: '2026-02-30T00:00:00Z' }),
      {
        path: 'created_dt',
        message: 'is not an ISO 8601 date-time with an offset, such as 2026-03-01T12:00:00Z',
      },
    ],
    [
      'the year 2300',
      line('x', { created_dt: '2300-01-01' }),
      { path: 'created_dt', message: 'is outside the years 1970–2199' },
    ],
    ['a missing name', '{"session_id":"x","created_dt":"2026-03-01"}\n', { path: 'agent_name', message: 'is missing' }],
    ['a name of blanks', line('x', { agent_name: '  ' }), { path: 'agent_name', message: 'is empty' }],
    [
      'an unknown field',
      line('x', { scroe: 4 }),
      {
        path: 'scroe',
        message:
          'is not a field of a call record (fields of your own go under "session_metadata"); did you mean "score"?',
      },
    ],
    [
      'an unknown field further in',
      line('x', { transcript: [{ turn: 0, actor: 'agent', text: 'Hi', start: 1 }] }),
      { path: 'transcript[0].start', message: 'is not a field of a call record; did you mean "start_s"?' },
    ],
    [
      'an unknown actor',
      line('x', { transcript: [{ turn: 0, actor: 'caller', text: 'Hi' }] }),
      { path: 'transcript[0].actor', message: 'must be one of "agent", "customer", "system"' },
    ],
    [
      'turns numbered from 1',
      line('x', { transcript: [{ turn: 1, actor: 'agent', text: 'Hi' }] }),
      { path: 'transcript[0].turn', message: 'must be 0: turns are numbered by their position, from 0' },
    ],
    [
      'a turn that ends before it starts',
      line('x', { transcript: [{ turn: 0, actor: 'agent', text: 'Hi', start_s: 2, end_s: 1 }] }),
      { path: 'transcript[0].end_s', message: 'must not be before start_s' },
    ],
    [
      'a NUL in an id',
      line('x\u0000y'),
      { path: 'session_id', message: 'holds a control character or a lone surrogate' },
    ],
    [
      'a line feed in an id',
      line('x\ny'),
      { path: 'session_id', message: 'holds a control character or a lone surrogate' },
    ],
    [
      'a lone surrogate in a name',
      '{"session_id":"x","agent_name":"A\\ud800","created_dt":"2026-03-01"}\n',
      { path: 'agent_name', message: 'holds a control character or a lone surrogate' },
    ],
    [
      'a field named __proto__',
      '{"session_id":"x","agent_name":"A","created_dt":"2026-03-01","session_metadata":{"__proto__":{"admin":true}}}\n',
      { path: 'session_metadata', message: 'holds a field named "__proto__", which is not accepted' },
    ],
    [
      'the same written with an escape',
      '{"session_id":"x","agent_name":"A","created_dt":"2026-03-01","session_metadata":{"\\u005f_proto__":{}}}\n',
      { path: 'session_metadata', message: 'holds a field named "__proto__", which is not accepted' },
    ],
    [
      'a number beyond what is kept exactly',
      '{"session_id":"x","agent_name":"A","created_dt":"2026-03-01","session_metadata":{"case":12345678901234567890}}\n',
      { path: 'session_metadata.case', message: 'is a number too large to be kept exactly: write it as text' },
    ],
    [
      'metadata beyond its limit',
      line('x', { session_metadata: { note: 'n'.repeat(70_000) } }),
      { path: 'session_metadata', message: 'is larger than 64 KiB' },
    ],
    [
      'bottomless metadata',
      `{"session_id":"x","agent_name":"A","created_dt":"2026-03-01","session_metadata":${'{"a":'.repeat(90)}1${'}'.repeat(91)}\n`,
      {
        path: expect.stringMatching(/^session_metadata/),
        message: 'is nested more than 32 levels deep',
      },
    ],
    [
      'bottomless brackets',
      `{"title":${'['.repeat(100_000)}null${']'.repeat(100_000)}}\n`,
      { path: '', message: 'is nested too deeply' },
    ],
    [
      'too many values',
      `{"title":[${'{},'.repeat(200_000)}{}]}\n`,
      { path: '', message: 'holds too many values for one record' },
    ],
    [
      'broken JSON',
      '{"session_id": "x", nonsense}\n',
      { path: '', message: 'is not JSON: there is a fault at column 21' },
    ],
    ['something else than an object', '[1, 2]\n', { path: '', message: 'must be a JSON object' }],
    [
      'bytes that are not UTF-8',
      Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]),
      { path: '', message: 'holds bytes that are not UTF-8' },
    ],
  ]

  it.each(bad)('%s', async (_what, content, fault) => {
    const around = [Buffer.from(line('before')), Buffer.from(content), Buffer.from(line('after'))]
    const { shelf, report, errors } = await importing(Buffer.concat(around))
    expect(errors).toEqual([{ line: 2, ...fault }])
    expect(report).toMatchObject({ received: 3, stored: 2, rejected: 1 })
    expect(shelf.ids).toEqual(['before', 'after'])
  })

  it('tells everything that is wrong with a record, and repeats none of its values', async () => {
    const { report } = await importing(line('x', { score: 77, channel: 'carrier pigeon', direction: 'in' }))
    const [first] = report.errors
    expect([first, ...(first?.also ?? [])].map(fault => fault?.path)).toEqual(['channel', 'score', 'direction'])
    expect(JSON.stringify(report)).not.toMatch(/77|pigeon/)
  })

  it('names the element of an array, and keeps those beside it', async () => {
    const content = JSON.stringify([call('a'), call('b', { score: 9 }), call('c')], null, 1)
    const { shelf, errors } = await importing(content)
    expect(errors).toEqual([{ line: 7, path: '[1].score', message: 'must be between 1 and 5' }])
    expect(shelf.ids).toEqual(['a', 'c'])
  })

  it('passes every reject on as a line of JSON, and holds the first 100', async () => {
    const rejects = new PassThrough()
    const read = text(rejects)
    const { report } = await importing('{}\n'.repeat(250), { rejects })
    rejects.end()
    const lines = (await read).trimEnd().split('\n')
    expect(lines).toHaveLength(250)
    expect(JSON.parse(lines[249] ?? '')).toMatchObject({ file: 'calls.ndjson', line: 250, path: 'session_id' })
    expect(report).toMatchObject({ rejected: 250, received: 250 })
    expect(report.errors).toHaveLength(100)
  })
})

describe('inputs that are cut off, damaged or too long', () => {
  it('reports a file that ends in the middle of a line', async () => {
    const { shelf, errors } = await importing(line('a') + line('b').slice(0, 40))
    expect(errors).toEqual([
      { line: 2, path: '', message: 'is not whole JSON: it ends too early; the file was cut off here' },
    ])
    expect(shelf.ids).toEqual(['a'])
  })

  it('reports an array that is not closed, in and between its elements', async () => {
    const array = JSON.stringify([call('a'), call('b')])
    const inside = await importing(array.slice(0, -20))
    expect(inside.errors).toEqual([
      { line: 1, path: '[1]', message: 'is not whole JSON: it ends too early; the file was cut off here' },
    ])
    const between = await importing(array.slice(0, -1))
    expect(between.shelf.ids).toEqual(['a', 'b'])
    expect(between.errors[0]?.message).toBe('the array that begins here is not closed: the file was cut off')
  })

  it('keeps what comes before the end of cut or damaged compressed data', async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => line(`call-${index}`, { title: `${index}`.repeat(20) }))
    const zipped = gzipSync(lines.join(''))
    const { report, errors } = await importing(zipped.subarray(0, zipped.length - 400))
    expect(report.stored).toBeGreaterThan(1_000)
    expect(errors).toEqual([
      {
        line: report.stored + 1,
        path: '',
        message: 'ends in the middle of its compressed data: the file was cut off',
      },
    ])
  })

  it('passes over a line over the limit, however it arrives, and keeps the next ones', async () => {
    const long = `{"title":"${'t'.repeat(5_000)}"}\n`
    const whole = Buffer.from(line('a') + long + line('b') + long + long + line('c'))
    for (const size of [7, 100, 3_000, whole.length]) {
      const parts = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.subarray(at * size, (at + 1) * size),
      )
      const inputs = [{ name: 'calls', stream: Readable.from(parts) }]
      const { shelf, report } = await importing('', { inputs, maxRecordBytes: 1_000 })
      expect(shelf.ids).toEqual(['a', 'b', 'c'])
      expect(report.errors.map(({ line }) => line)).toEqual([2, 4, 5])
      expect(report.errors[0]?.message).toBe('is longer than the limit of 0 MiB for one record')
    }
  })

  it.each([['a ZIP archive', Buffer.from('PK\u0003\u0004rest'), 'is a ZIP archive: unpack it first']])(
    'says what to do with %s',
    async (_what, content, message) => {
      expect((await importing(content)).errors).toEqual([{ line: 1, path: '', message }])
    },
  )

  it('reports a stream that breaks off, with the lines before it kept', async () => {
    const broken = Readable.from(
      (async function* () {
        yield line('a')
        throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
      })(),
    )
    const { shelf, errors } = await importing('', { inputs: [{ name: 'upload', stream: broken }] })
    expect(errors).toEqual([{ line: 1, path: '', message: "can't be read on from here (ECONNRESET)" }])
    expect(shelf.ids).toEqual([])
  })
})

describe('what is stored', () => {
  it('counts equal ids as duplicates and keeps the last one', async () => {
    const { shelf, report } = await importing(line('a', { score: 1 }) + line('b') + line('a', { score: 5 }))
    expect(report).toMatchObject({ received: 3, stored: 2, duplicates: 1, replaced: 0, rejected: 0 })
    expect(shelf.record('a').score).toBe(5)
  })

  it('does so across batches', async () => {
    const many = Array.from({ length: 4_500 }, (_, index) => line(`call-${index}`)).join('')
    const { shelf, report } = await importing(many + line('call-0', { score: 5 }))
    expect(shelf.batches.length).toBeGreaterThan(1)
    expect(report).toMatchObject({ received: 4_501, stored: 4_500, duplicates: 1, replaced: 0 })
    expect(shelf.record('call-0').score).toBe(5)
  })

  it('counts calls that were stored before as replaced', async () => {
    const { shelf } = await importing(line('a') + line('b'))
    const { report } = await importing(line('b') + line('c'), {}, shelf)
    expect(report).toMatchObject({ stored: 2, replaced: 1, duplicates: 0 })
  })

  it('rejects calls that the store says it cannot keep, and takes those beside them', async () => {
    const shelf = new CallShelf()
    shelf.unkept.set('b', 'is larger than this store can keep')
    const { report, errors } = await importing(line('a') + line('b') + line('c'), {}, shelf)
    expect(report).toMatchObject({ received: 3, stored: 2, rejected: 1 })
    expect(errors).toEqual([{ line: 2, path: '', message: 'is larger than this store can keep' }])
  })

  it('rejects calls that were erased on request, unless told otherwise', async () => {
    const shelf = new CallShelf()
    shelf.erased.add('gone')
    const { report, errors } = await importing(line('a') + line('gone'), {}, shelf)
    expect(report).toMatchObject({ received: 2, stored: 1, rejected: 1 })
    expect(errors).toEqual([
      { line: 2, path: 'session_id', message: 'is the id of a call that was erased on request; it is not taken back' },
    ])
    expect((await importing(line('gone'), { restoreErased: true }, shelf)).report).toMatchObject({
      stored: 1,
      rejected: 0,
    })
  })

  it('fills agent_id in by the name, the same for the same name', async () => {
    const shelf = new CallShelf()
    shelf.agents.set('bo-ek', 'Bo-Ek')
    const { report } = await importing(
      line('a') +
        line('b', { agent_name: ' Ann  Lee ' }) +
        line('c', { agent_name: 'Bo Ek' }) +
        line('d', { agent_id: 'e-17' }),
      {},
      shelf,
    )
    expect(report.stored).toBe(4)
    expect([...shelf.prepared.values()].map(({ agent_id }) => agent_id)).toEqual([
      'ann-lee',
      expect.stringMatching(/^ann-lee-[0-9a-f]{6}$/),
      expect.stringMatching(/^bo-ek-[0-9a-f]{6}$/),
      'e-17',
    ])
    expect(shelf.record('a')).toMatchObject({ agent_id: 'ann-lee', agent_name: 'Ann Lee' })
  })

  it('ends with the failure of the store', async () => {
    const shelf = new CallShelf()
    shelf.failing = true
    await expect(importing(line('a'), {}, shelf)).rejects.toThrow('disk full')
  })

  it('tells how far it has come', async () => {
    const seen: ImportProgress[] = []
    const file = join(tempDir(), 'calls.ndjson')
    const content = line('a') + line('b')
    writeFileSync(file, content)
    await importing('', { inputs: [file], onProgress: progress => seen.push(progress) })
    expect(seen.at(-1)).toMatchObject({ file, bytes: content.length, total_bytes: content.length, received: 2 })
  })

  it('ends when it is told to, also while it waits for input', async () => {
    const abort = new AbortController()
    const stream = new PassThrough()
    stream.write(line('a'))
    const running = importing('', { inputs: [{ name: '-', stream }], signal: abort.signal })
    setTimeout(() => abort.abort(new Error('enough')), 20)
    await expect(running).rejects.toThrow('enough')
  })
})
