import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { importCalls } from '../../../src/ingest/import-calls.js'
import { CallShelf } from '../../support/call-shelf.js'
import { importingFiles } from '../../support/importing-files.js'

const calls = `Call ID,Agent,Started At,Direction,score,duration_s,Queue,title
c1,Ann Lee,2026-03-01T09:30:00Z,inbound,4.5,61,Billing,"Card, lost
and found"

c2,Bo,2026-03-01T10:30:00+01:00,outbound,,,,
`
const turns = `session_id,agent_name,created_dt,speaker,start_ms,end_ms,text,team
c1,Ann,2026-03-01T09:30:00Z,agent,0,900,Hello,North
c1,Ann,2026-03-01T09:30:00Z,customer,1000,1900,"Hi, ""Ann""",North
c2,Bo,2026-03-01T10:30:00Z,agent,500,900,Hello,South
`

/** Bytes that are not UTF-8, where a text has marks for them: `~` is one of another encoding, `^` the beginning of a character. */
function spoilt(text: string): Buffer {
  const bytes = { '~': [0xeb], '^': [0xf0, 0x9f] }
  const part = (written: string) =>
    written === '~' || written === '^' ? Buffer.from(bytes[written]) : Buffer.from(written)
  return Buffer.concat(text.split(/([~^])/).map(part))
}

const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, i) => `${from + i},Ann,D,`)

describe('CSV of calls', () => {
  it('becomes records; columns that are no field stay in session_metadata', async () => {
    const { store, errors, report } = await importingFiles({ 'calls.csv': calls })
    expect(errors).toEqual([])
    expect(report).toMatchObject({ received: 2, stored: 2 })
    expect(store.record('c1')).toEqual({
      session_id: 'c1',
      agent_id: 'ann-lee',
      agent_name: 'Ann Lee',
      created_dt: '2026-03-01T09:30:00.000Z',
      interaction_direction: 'inbound',
      score: 4.5,
      evaluation: { evaluator: 'imported' },
      title: 'Card, lost\nand found',
      talk_patterns: { total_duration_s: 61 },
      session_metadata: { Queue: 'Billing' },
    })
    expect(store.record('c2').created_dt).toBe('2026-03-01T09:30:00.000Z')
  })

  it.each([
    ['semicolons', calls.replaceAll(/,(?! lost)/g, ';')],
    ['tabs', calls.replaceAll(/,(?! lost)/g, '\t')],
    ['a line that says the separator', `sep=,\r\n${calls}`],
    ['a byte-order mark and CRLF', `\ufeff${calls.replaceAll('\n', '\r\n')}`],
    ['UTF-16, as Excel saves it', Buffer.from(`\ufeff${calls.replaceAll(/,(?! lost)/g, '\t')}`, 'utf16le')],
    ['no line feed at its end', calls.trimEnd()],
  ])('is read with %s', async (_, content) => {
    const { store, errors } = await importingFiles({ 'calls.csv': content })
    expect(errors).toEqual([])
    expect(store.ids).toEqual(['c1', 'c2'])
    expect(store.record('c1').title?.replace('\r', '')).toBe('Card, lost\nand found')
  })

  it('takes the words that others have for directions and channels', async () => {
    const rows = [
      'id,agent,date,Direction,Channel',
      'a,Ann,2026-03-01,Outbound,Voice',
      'b,Ann,2026-03-01,INCOMING,E-Mail',
    ]
    const { store, errors } = await importingFiles({ 'a.csv': [...rows, 'c,Ann,2026-03-01,Sideways,Chat'].join('\n') })
    expect(errors).toEqual(['a.csv:4 interaction_direction must be one of "inbound", "outbound"'])
    expect(store.record('a')).toMatchObject({ interaction_direction: 'outbound', channel: 'phone' })
    expect(store.record('b')).toMatchObject({ interaction_direction: 'inbound', channel: 'email' })
  })

  it('reports what is wrong with the line of the row, and keeps the others', async () => {
    const rows = [
      'id;agent;date;score',
      'a;Ann;2026-03-01;9',
      'b;Ann;01/02/2026;3',
      'c;Ann',
      '"d\nd";;2026-03-01;',
      'e;Ann;2026-03-01T10:00;3',
      'f;Ann;1772357400;3',
      'g;Ann;1772357400000;3',
    ]
    const { store, errors } = await importingFiles({ 'a.csv': rows.join('\n') })
    expect(errors).toEqual([
      'a.csv:2 score must be between 1 and 5',
      'a.csv:3 created_dt is not a time as ISO 8601 writes it, such as 2026-03-01T12:00:00Z',
      'a.csv:4 has 2 fields where the header names 4 columns',
      'a.csv:5 session_id holds a control character or a lone surrogate',
      'a.csv:7 created_dt says no time zone: say which with --time-zone, such as --time-zone Europe/Berlin or UTC',
    ])
    expect(store.ids).toEqual(['f', 'g'])
    expect(store.record('f').created_dt).toBe(store.record('g').created_dt)
  })

  it('is refused once where a column lacks, with the flag that gives it', async () => {
    const { errors } = await importingFiles({ 'a.csv': 'call_id,who,when\n1,Ann,2026-03-01\n2,Bo,2026-03-01\n' })
    expect(errors).toEqual([
      'a.csv:1 has no column for agent_name; its columns are "call_id", "who", "when": say which with --map "agent_name=COLUMN"',
    ])
    const wrong = await importingFiles(
      { 'a.csv': 'call_id,who,when\n1,Ann,2026-03-01\n' },
      { map: ['agent_name=whom', 'created_dt=when'] },
    )
    expect(wrong.errors).toEqual(['a.csv:1 has no column "whom" (mapped by "agent_name=whom"); did you mean "who"?'])
    const right = await importingFiles(
      { 'a.csv': 'call_id,who,when\n1,Ann,2026-03-01\n' },
      { map: ['agent_name=who', 'created_dt=when'] },
    )
    expect(right.store.record('1')).toMatchObject({ agent_name: 'Ann' })
    expect(right.store.record('1').session_metadata).toBeUndefined()
  })

  it.each([
    ['a constant', 'id,agent_name,date\na,Zed,AT\nb,,AT\n', 'agent_name?="Ann"', [['Zed'], ['Ann']]],
    ['a column of another name', 'id,Advisor,date\na,Zed,AT\nb,,AT\n', 'agent_name?="Ann"', [['Zed'], ['Ann']]],
    ['a time', 'id,agent,Started\na,Zed,AT\nb,Bo,\n', 'created_dt?="2026-03-01T09:30:00Z"', [['Zed'], ['Bo']]],
    [
      'another column, which stays in session_metadata where it is not needed',
      'id,agent,Owner,date\na,Zed,Ann,AT\nb,,Bo,AT\n',
      'agent_name?=Owner',
      [['Zed', { Owner: 'Ann' }], ['Bo']],
    ],
    ['another field', 'id,agent,title,date\na,Zed,x,AT\nb,,Bo,AT\n', 'agent_name?=title', [['Zed'], ['Bo']]],
    ['a field that no column is', 'id,Owner,date\na,Zed,AT\n', 'agent_name?=Owner', [['Zed']]],
    ['a column that lacks and is not needed', 'id,agent,date\na,Zed,AT\n', 'agent_name?=Owner', [['Zed']]],
    [
      'what is below session_metadata',
      'id,agent,date,store_id\na,Zed,AT,7\nb,Bo,AT,\n',
      'session_metadata.store_id?="8"',
      [
        ['Zed', { store_id: '7' }],
        ['Bo', { store_id: '8' }],
      ],
    ],
  ])('takes what is mapped with "?" only where the row says nothing: %s', async (_, text, map, told) => {
    const asked = { map: [map], timeZone: 'Europe/Berlin' }
    const { store, errors } = await importingFiles({ 'a.csv': text.replaceAll('AT', '2026-03-01 10:30') }, asked)
    expect(errors).toEqual([])
    const records = store.ids.map(id => store.record(id))
    const own = ({ agent_name: agent, session_metadata: more }: (typeof records)[number]) =>
      more === undefined ? [agent] : [agent, more]
    expect(records.map(own)).toEqual(told)
    for (const { created_dt: at } of records) expect(at).toBe('2026-03-01T09:30:00.000Z')
  })

  it('names a column that is mapped with "?" and lacks where the row needs it', async () => {
    const text = 'id,agent,date\na,Zed,2026-03-01\nb,,2026-03-01\n'
    const { store, errors } = await importingFiles({ 'a.csv': text }, { map: ['agent_name?=Owner'] })
    expect(store.ids).toEqual(['a'])
    expect(errors).toEqual([
      'a.csv:3 agent_name is missing: the source has no "Owner" there (mapped by "agent_name?=Owner")',
    ])
  })

  it('names a quote that is not closed, and keeps the rows before it', async () => {
    const { store, errors } = await importingFiles({
      'a.csv': 'id,agent,date\n1,Ann,2026-03-01\n2,"Bo,2026-03-01\n3,Cy,2026-03-01\n',
    })
    expect(store.ids).toEqual(['1'])
    expect(errors).toEqual([
      'a.csv:3 begins a quoted text that is not closed: the file was cut off, or a quote is missing',
    ])
  })

  it.each([
    ['one of many rows', [...numbered(248), '249,Zo~,D,', ...numbered(50, 250)], [250], 298],
    ['the first and the last row', ['a,J~rg,D,', 'b,Jörg,D,', 'c,Zo~,D,'], [2, 4], 1],
    ['rows behind cells of several lines', ['a,Ann,D,"one\n\ntwo"', 'b,Zo~,D,', 'c,Zoë,D,'], [5], 2],
    ['the last line of a cell of several', ['a,Ann,D,x', 'b,Bo,D,"one\ntwo ~"', 'c,Zoë,D,'], [3], 2],
    ['a character that is cut off', ['a,Ann,D,x', 'b,Bo,D,^', 'c,Zoë,D,\u{1f600}'], [3], 2],
    ['behind empty rows', ['a,Ann,D,x', '', '', 'b,Zo~,D,'], [5], 1],
    ['a row that is faulty otherwise', ['a,Ann,D,x', 'b,Zo~', 'c,Zoë,D,'], [], 2],
  ])('costs the rows alone that hold bytes that are not UTF-8: %s', async (_, rows, lines, stored) => {
    const text = ['id,agent,date,note', ...rows, ''].join('\n').replaceAll(',D,', ',2026-03-01,')
    const { store, report, errors } = await importingFiles({ 'a.csv': spoilt(text) })
    const told = errors.filter(error => error.endsWith('holds bytes that are not UTF-8: save the table as CSV UTF-8'))
    expect(told.map(error => Number(/:(\d+) /.exec(error)?.[1]))).toEqual(lines)
    expect(report).toMatchObject({ stored, rejected: Math.max(1, lines.length) })
    for (const id of store.ids) expect(store.record(id).agent_name).toMatch(/^(?:Ann|Bo|Jörg|Zoë)$/)
  })

  it('is refused where the names of its columns are not UTF-8', async () => {
    const text = 'id,agent,date,Gespr~ch\nk1,Ann,2026-03-01,x\n'
    const { store, errors } = await importingFiles({ 'a.csv': spoilt(text) })
    expect(errors).toEqual(['a.csv:1 holds bytes that are not UTF-8: save the table as CSV UTF-8'])
    expect(store.ids).toEqual([])
  })

  it('is not what any text with commas is', async () => {
    const { report } = await importingFiles({ 'notes.txt': 'Dear all, hello\nthis, that\n', 'x.md': '# a, b\n' })
    expect(report).toMatchObject({ skipped_files: 2, rejected: 0 })
  })

  it('is read in pieces of whole rows, wherever they are cut', async () => {
    const header = 'id,agent,date,note\n'
    const rows = Array.from(
      { length: 3_000 },
      (_, i) => `r${i},Ann,2026-03-01,"line ""one""\nline ${'é'.repeat(i % 250)}"\n`,
    )
    rows[1_500] = rows[1_500]?.replace('Ann', 'Zo~') ?? ''
    const text = spoilt(`${header}${rows.join('')}bad,Ann,never,\n`)
    const store = new CallShelf()
    const chunks = function* () {
      for (let at = 0; at < text.length; at += 1_013) yield text.subarray(at, at + 1_013)
    }
    const inputs = [{ name: 'a.csv', stream: Readable.from(chunks(), { objectMode: false }) }]
    const report = await importCalls({
      inputs,
      projectId: 'p',
      store,
      workers: 0,
      redact: false,
      evaluate: undefined,
      format: 'csv-calls',
    })
    expect(report).toMatchObject({ received: 3_001, stored: 2_999 })
    expect(report.errors).toMatchObject([
      { line: 3_002, path: '', message: expect.stringContaining('UTF-8') },
      { line: 6_002, path: 'created_dt' },
    ])
  })
})

describe('CSV of turns', () => {
  it('becomes calls of the rows that stand together', async () => {
    const { store, errors } = await importingFiles({ 'turns.csv': turns })
    expect(errors).toEqual([])
    expect(store.record('c1')).toEqual({
      session_id: 'c1',
      agent_id: 'ann',
      agent_name: 'Ann',
      created_dt: '2026-03-01T09:30:00.000Z',
      session_metadata: { team: 'North', agent_speaker: 'agent', agent_speaker_by: 'label' },
      transcript: [
        { turn: 0, actor: 'agent', text: 'Hello', start_s: 0, end_s: 0.9 },
        { turn: 1, actor: 'customer', text: 'Hi, "Ann"', start_s: 1, end_s: 1.9 },
      ],
    })
  })

  it('takes times of day of the rows for the times of the turns', async () => {
    const chat =
      'conversation_id,timestamp,role,message\n9,2026-03-01T09:30:00Z,agent,Hello\n9,2026-03-01T09:30:12.500Z,user,Hi\n'
    const { store, errors } = await importingFiles(
      { 'chat.csv': chat },
      { map: ['agent_name="Ann"', 'channel="chat"'] },
    )
    expect(errors).toEqual([])
    expect(store.record('9')).toMatchObject({
      channel: 'chat',
      created_dt: '2026-03-01T09:30:00.000Z',
      transcript: [{ start_s: 0 }, { actor: 'customer', start_s: 12.5 }],
    })
  })

  it('maps columns of turns, and asks for the unit of times that do not say', async () => {
    const own = turns.replace('start_ms,end_ms,text', 'start,stop,what')
    const wrong = await importingFiles({ 'a.csv': own }, { map: ['turn.text=what'], format: 'csv-turns' })
    expect(wrong.errors[0]).toBe(
      'a.csv:2 turn.start does not say whether it is seconds or milliseconds: name the column start_s or start_ms, or map it (--map turn.start_ms=…)',
    )
    const map = ['turn.text=what', 'turn.start_ms=start', 'turn.end_ms=stop']
    const { store } = await importingFiles({ 'a.csv': own }, { map, format: 'csv-turns' })
    expect(store.record('c1').transcript?.[1]).toMatchObject({ text: 'Hi, "Ann"', start_s: 1, end_s: 1.9 })
    const other = await importingFiles({ 'a.csv': calls }, { map })
    expect(other.errors[0]).toMatch(/has no column "what"/)
  })

  const said = (rows: string) => `id,agent,date,speaker,text,other\n${rows}`
  it.each([
    [
      'a constant, in calls that say nothing in any row',
      said('a,,D,agent,Hello,\na,Zed,D,customer,Hi,\nb,,D,agent,Hello,\n'),
      ['agent_name?="Ann"'],
      { a: { agent_name: 'Zed' }, b: { agent_name: 'Ann' } },
    ],
    [
      'another column',
      said('a,,D,agent,Hello,Ann\na,Zed,D,customer,Hi,Ann\nb,,D,agent,Hello,Bo\nb,,D,customer,Hi,Cy\n'),
      ['agent_name?=other'],
      { a: { agent_name: 'Zed', session_metadata: { other: 'Ann' } }, b: { agent_name: 'Bo' } },
    ],
    [
      'times of the rows',
      said('a,Zed,,agent,Hello,2026-03-01T10:00:00Z\na,Zed,,customer,Hi,2026-03-01T10:00:02Z\n'),
      ['created_dt?=other'],
      { a: { created_dt: '2026-03-01T10:00:00.000Z', transcript: [{ start_s: 0 }, { start_s: 2 }] } },
    ],
    [
      'the id, by which rows belong together',
      said('a,Zed,D,agent,Hello,x\n,Zed,D,agent,Hello,b\n,Zed,D,customer,Hi,b\n,Zed,D,agent,Hello,c\n'),
      ['session_id?=other'],
      { a: { transcript: [{}] }, b: { transcript: [{}, {}] }, c: { transcript: [{}] } },
    ],
  ])('takes what is mapped with "?" only where a call says nothing: %s', async (_, text, map, records) => {
    const { store, errors } = await importingFiles({ 'a.csv': text.replaceAll(',D,', ',2026-03-01,') }, { map })
    expect(errors).toEqual([])
    expect(Object.fromEntries(store.ids.map(id => [id, store.record(id)]))).toMatchObject(records)
    expect(store.ids).toEqual(Object.keys(records))
  })

  it('says when the rows of a call stand apart', async () => {
    const apart = `${turns}c1,Ann,2026-03-01T09:30:00Z,agent,2000,2900,Bye,North\nc3,Ann,2026-03-01T09:30:00Z,agent,0,9,Hey,North\n`
    const { store, errors } = await importingFiles({ 'a.csv': apart })
    expect(errors).toEqual([
      'a.csv:5 is the first of further rows of a call whose rows came before, and they are left out: rows of one call must follow each other, so sort the file',
    ])
    expect(store.ids).toEqual(['c1', 'c2', 'c3'])
  })

  it.each([
    ['once, however many of its rows', 'a A\nb Hi ~\nb "two\nlines"\nb ~\nc é\n', ['3'], ['a', 'c']],
    ['at the line of the row', 'a é\nb "two\nlines"\nb ~\nb more\nc C\n', ['5'], ['a', 'c']],
    ['with an id beyond ASCII', 'ä A\nä ~\nö é\n', ['3'], ['ö']],
    ['whose id holds the byte', 'a A\n~ B\n~ ~\nc C\n', ['3'], ['a', 'c']],
  ])('rejects the call alone that holds bytes that are not UTF-8: %s', async (_, rows, lines, ids) => {
    const text = rows.replaceAll(/^(\S) /gm, '$1,Ann,2026-03-01,agent,')
    const { store, report, errors } = await importingFiles({ 'a.csv': spoilt(`id,agent,date,speaker,text\n${text}`) })
    expect(errors).toEqual(
      lines.map(line => `a.csv:${line} holds bytes that are not UTF-8: save the table as CSV UTF-8`),
    )
    expect(store.ids).toEqual(ids)
    expect(report).toMatchObject({ received: ids.length + lines.length, rejected: lines.length })
  })

  it('keeps the rows of a call together over pieces, and memory small', async () => {
    const rows: string[] = []
    for (let call = 0; call < 60; call += 1) {
      for (let turn = 0; turn < 200; turn += 1)
        rows.push(`c${call},Ann,2026-03-01,${turn % 2 ? 'customer' : 'agent'},${turn},"word ${'y'.repeat(90)}"\n`)
    }
    const { store, errors } = await importingFiles({ 'a.csv': `id,agent,date,speaker,start_s,text\n${rows.join('')}` })
    expect(errors).toEqual([])
    expect(store.ids).toHaveLength(60)
    expect(store.ids.every(id => store.record(id).transcript?.length === 200)).toBe(true)
  })

  it('rejects a call over the limit of a record, and keeps the next', async () => {
    const long = Array.from({ length: 40 }, (_, turn) => `c1,Ann,2026-03-01,agent,${turn},${'x'.repeat(100)}\n`).join(
      '',
    )
    const text = `id,agent,date,speaker,start_s,text\n${long}c2,Ann,2026-03-01,agent,0,ok\n`
    const { store, errors } = await importingFiles({ 'a.csv': text }, { maxRecordBytes: 2_000 })
    expect(store.ids).toEqual(['c2'])
    expect(errors[0]).toMatch(/^a\.csv:2 is longer than the limit/)
  })
})
