import { describe, expect, it } from 'vitest'
import { fileTime } from '../../../src/ingest/mapping/apply-map.js'
import { parseMap, parseMaps } from '../../../src/ingest/mapping/parse-map.js'
import { toInstant } from '../../../src/ingest/mapping/to-instant.js'
import { importingFiles } from '../../support/importing-files.js'

describe('parseMap', () => {
  it.each([
    ['agent_name=metadata.agent', { from: 'path', steps: ['metadata', 'agent'], optional: false }],
    ['agent_name = Agent Name', { from: 'path', steps: ['Agent Name'], optional: false }],
    ['title=calls[0].info["the title"]?', { from: 'path', steps: ['calls', 0, 'info', 'the title'], optional: true }],
    ['agent_name="Ann = Bo"', { from: 'constant', value: 'Ann = Bo' }],
    ['created_dt=@file_time', { from: 'file', what: '@file_time' }],
    ['session_metadata.my team=team', { from: 'path', steps: ['team'], optional: false }],
    ['talk_patterns.total_duration_s=length', { from: 'path', steps: ['length'], optional: false }],
  ])('reads %s', (written, source) => {
    expect(parseMap(written).source).toEqual(source)
  })

  it.each([
    ['agent_name', /it has no "="/],
    ['agent_nme=a', /"agent_nme" is not a field of a call record; did you mean "agent_name"\?/],
    ['=a', /"" is not a field/],
    ['agent_name=', /nothing stands after "="/],
    ['agent_name=@fil', /"@fil" is nothing of a file; did you mean @file\?/],
    ['agent_name="Ann', /a constant is a text in double quotes/],
    ['agent_name=a..b', /a path is written like metadata\.agent/],
    ['agent_name=.a', /a path is written like/],
    ['agent_name=a[x]', /a path is written like/],
    ['agent_name=a.b.', /a path is written like/],
    ['session_metadata.a.b=c', /is not a field/],
  ])('refuses %s', (written, message) => {
    expect(() => parseMap(written)).toThrow(message)
  })

  it('maps a field once', () => {
    expect(() => parseMaps(['title=a', 'title=b'])).toThrow(/"title" is mapped twice/)
  })
})

describe('times', () => {
  it.each([
    ['2026-03-01T12:00:00Z', undefined, '2026-03-01T12:00:00.000Z'],
    ['2026-03-01 12:00:00 +0200', undefined, '2026-03-01T10:00:00.000Z'],
    ['2026-03-01 12:00', 'Europe/Berlin', '2026-03-01T11:00:00.000Z'],
    ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-03-01', undefined, '2026-03-01T00:00:00.000Z'],
    ['2026-03-01', 'Europe/Berlin', '2026-02-28T23:00:00.000Z'],
    [1_772_357_400, undefined, '2026-03-01T09:30:00.000Z'],
    ['1772357400123', undefined, '2026-03-01T09:30:00.123Z'],
    ['1772357400123456', undefined, '2026-03-01T09:30:00.123Z'],
  ])('reads %s in %s', (value, zone, instant) => {
    expect(toInstant(value, zone)).toEqual({ instant })
  })

  it.each([
    ['2026-03-01T12:00:00', /says no time zone/],
    ['03/01/2026', /is not a time as ISO 8601/],
    ['2026-02-30T12:00:00Z', /is no day or time there is/],
    ['20260301', /is not a time/],
    ['000000060', /is no Unix time: it counts from something later than 1970/],
    ['20260301120000', /is a Unix time after the year 2199/],
    [{}, /is not a time/],
  ])('refuses %s', (value, message) => {
    const read = toInstant(value, undefined)
    expect('message' in read ? read.message : '').toMatch(message)
  })

  const zones: readonly (readonly [string, string | undefined])[] = [
    ['2026-11-20T10:00:00', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20 10:00', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20T10:00:00.25', '2026-11-20T09:00:00.250Z'],
    ['2026-11-20', '2026-11-19T23:00:00.000Z'],
    // Left out by a clock that goes forward, and there twice.
    ['2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00+05:00', '2026-11-20T05:00:00.000Z'],
    ['2026-02-30T10:00:00', undefined],
    ['20/11/2026', undefined],
  ]
  const record = (at: string) => ({ session_id: 'n1', agent_name: 'Ana', created_dt: at })
  it.each([
    ['CSV', 'a.csv', (at: string) => `session_id,agent_name,created_dt\nn1,Ana,${at}\n`],
    ['NDJSON', 'a.ndjson', (at: string) => `${JSON.stringify(record(at))}\n`],
    ['an array', 'a.json', (at: string) => JSON.stringify([record(at)])],
    ['an object', 'a.json', (at: string) => JSON.stringify(record(at), undefined, 2)],
    ['call records that are masked', 'a.ndjson', (at: string) => `${JSON.stringify({ ...record(at), title: 'é' })}\n`],
  ])('in a zone that is said are the same in %s', async (_, name, text) => {
    for (const [at, instant] of zones) {
      const asked = { timeZone: 'Europe/Berlin', redact: text(at).includes('é') }
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      const { store, errors } = await importingFiles({ [name]: text(at) }, asked)
      expect([at, store.ids.map(id => store.record(id).created_dt), errors.length]).toEqual(
        instant === undefined ? [at, [], 1] : [at, [instant], 0],
      )
    }
  })

  it.each(['2026-11-20T10:00:00', '2026-11-20 10:00', '2026-02-30T10:00:00Z'])(
    'are refused in call records without a zone: %s',
    async at => {
      const { errors } = await importingFiles({ 'a.ndjson': JSON.stringify(record(at)) })
      expect(errors).toEqual([
        'a.ndjson:1 created_dt is not an ISO 8601 date-time with an offset, such as 2026-03-01T12:00:00Z',
      ])
    },
  )

  it('that say an evaluation are in the zone, too; others are as they were', async () => {
    const calls = [
      { ...record('2026-11-20T10:00:00Z'), evaluation: { evaluated_at: '2026-11-20T11:00:00' } },
      { ...record('2026-11-20T10:00:00.000Z'), session_id: 'n2', session_metadata: { at: '2026-11-20T11:00:00' } },
    ]
    const lines = calls.map(call => JSON.stringify(call)).join('\n')
    const { store, errors } = await importingFiles({ 'a.ndjson': lines }, { timeZone: 'Europe/Berlin' })
    expect(errors).toEqual([])
    expect(store.record('n1').evaluation).toMatchObject({ evaluated_at: '2026-11-20T10:00:00.000Z' })
    expect(store.prepared.get('n2')?.json).toBe(lines.split('\n')[1])
  })

  it.each([
    ['c0ffee_analysis_2026-03-01T09:30:00Z', undefined, '2026-03-01T09:30:00.000Z'],
    ['rec-20260301-093000-in', 'UTC', '2026-03-01T09:30:00.000Z'],
    ['call 2026-03-01 at 09.30', 'UTC', undefined],
    ['20260301T0930+0100', undefined, '2026-03-01T08:30:00.000Z'],
    ['call-7', 'UTC', undefined],
    ['2026-03-01T09:30:00Z_2026-03-01T09:35:00Z', undefined, undefined],
  ])('finds the time in the name %s', (stem, zone, instant) => {
    const read = fileTime(stem, zone)
    expect('instant' in read ? read.instant : undefined).toBe(instant)
  })
})

describe('mapping records', () => {
  const call = { id: 7, rep: { name: 'Ann', site: 'North' }, at: 1_772_357_400, session_metadata: { a: 1 } }
  const map = ['session_id=id', 'agent_name=rep.name', 'created_dt=at', 'session_metadata.site=rep.site']

  it('takes fields from where the source has them, and leaves its own names behind', async () => {
    const { store, errors } = await importingFiles({ 'a.ndjson': JSON.stringify(call) }, { map })
    expect(errors).toEqual([])
    expect(store.record('7')).toEqual({
      session_id: '7',
      agent_id: 'ann',
      agent_name: 'Ann',
      created_dt: '2026-03-01T09:30:00.000Z',
      session_metadata: { a: 1, site: 'North' },
    })
  })

  it('leaves out what may be missing', async () => {
    const { errors } = await importingFiles({ 'a.ndjson': JSON.stringify(call) }, { map: ['title=other?', ...map] })
    expect(errors).toEqual([])
  })

  it.each([
    [
      ['agent_name=rep.nam'],
      /agent_name is missing: the source has no "nam" there; did you mean "name"\? \(mapped by "agent_name=rep.nam"\)/,
    ],
    [['created_dt="soon"'], /created_dt is not a time as ISO 8601 writes it.*mapped by/],
    [['created_dt=@file_time'], /created_dt holds no day and time in the file's name/],
    [['turn.text=x'], /turn\.text is a column of turns, which call-records has none of/],
    [['title=other', ...map], /title is missing: the source has no "other" there/],
    [['title=rep.name.first', ...map], /title is missing/],
  ])('says what is wrong with %j', async (rules, message) => {
    const { errors } = await importingFiles({ 'a.ndjson': JSON.stringify(call) }, { map: rules })
    expect(errors[0]).toMatch(message)
  })
})
