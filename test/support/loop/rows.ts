import {
  brackets,
  callOf,
  conversation,
  emptyRecords,
  longMatch,
  longSet,
  rubricOfKeys,
  rubricOfPatterns,
  unknownFields,
} from '../../../bench/attacks/hostile-input.js'

/** What there is in the service that is asked. */
export interface World {
  readonly project: string
  /** Id of a call of 14 MB in 15,000 turns, the same in 150 and in 14 turns, and of an ordinary one. */
  readonly largeCall: string
  readonly longTurns: string
  readonly longestTurns: string
  readonly call: string
  readonly agentId: string
  readonly agentName: string
}

/** One request, as dear as it may be. */
export interface RestAsk {
  readonly what: string
  /** Parameters of the path; what is missing is written as long as a parameter may be. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export interface ToolAsk {
  readonly what: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Bytes of a body, of a query and of a path parameter: just under what may come. */
const BODY = 1_000_000
const QUERY = 12_000
const PARAMETER = 2_000

const json = { 'content-type': 'application/json' }
const lines = { 'content-type': 'application/x-ndjson' }
const gzip = { ...lines, 'content-encoding': 'gzip' }

/** On every route, whatever it takes. */
export function anyAsk(takesBody: boolean): readonly RestAsk[] {
  const query = Array.from({ length: QUERY / 8 }, (_, i) => `p${i % 1_000}=1`)
    .join('&')
    .slice(0, QUERY)
  const bodies = takesBody
    ? [
        { what: 'a body of brackets', body: brackets(BODY), headers: json },
        { what: 'a body of unknown fields', body: unknownFields(BODY), headers: json },
        { what: 'a body that is one text', body: JSON.stringify('x'.repeat(BODY)), headers: json },
      ]
    : []
  return [{ what: 'long parameters' }, { what: 'a long query', query }, ...bodies]
}

const of = (names: readonly string[], length: number): readonly string[] =>
  names.length >= length
    ? names.slice(0, length)
    : of([...names, ...names.map((name, i) => `${name} ${names.length + i}`)], length)

/** Words that every section of a large document has, as many as are looked for with their like. */
const COMMON_WORDS = Array.from({ length: 16 }, (_, i) => `common${i}`).join(' ')
const OWN_WORDS = 20

/** A document whose sections have these words in common and 100,000 of their own. */
export const documentOfManyWords = (): object => ({
  name: 'words.md',
  title: 'Words',
  sections: Array.from({ length: 100_000 / OWN_WORDS }, (_, section) => ({
    text: `${COMMON_WORDS} ${Array.from({ length: OWN_WORDS }, (__, i) => `w${(section * OWN_WORDS + i).toString(36)}ord`).join(' ')}`,
  })),
})

const words = (count: number) => of(['Ada Agent'], count)
const text = (bytes: number) => 'What was said, at length. '.repeat(Math.ceil(bytes / 26)).slice(0, bytes)
const body = (value: unknown) => ({ body: JSON.stringify(value), headers: json })
const transcripts = (calls: number, turns: number) =>
  Array.from({ length: calls }, (_, i) =>
    JSON.stringify(callOf(`many-${i}`, { transcript: conversation(turns) })),
  ).join('\n')
/** Of a call that was evaluated elsewhere. */
const longest = () => JSON.stringify(callOf('longest', { score: 4, transcript: conversation(14, 22_000) }))
const records = (bytes: number) => {
  const one = (i: number) => JSON.stringify(callOf(`r${i}`))
  return Array.from({ length: Math.floor(bytes / (one(10_000).length + 1)) }, (_, i) => one(i))
}

const SAID = 'agent_name=Ada&created_dt=2026-03-01T10:00:00Z'
const CUE = '00:00:01.000 --> 00:00:03.000\n<v Ada>Thank you for calling, this is Ada. How can I help you?\n\n'
const subtitles = (bytes: number) => `WEBVTT\n\n${CUE.repeat(Math.floor(bytes / CUE.length))}`
const mappings = (count: number) =>
  Array.from({ length: count }, (_, i) => `map=session_metadata.m${i}=${encodeURIComponent('"x"')}`).join('&')

/** Asks that are dear for a route itself, by method and path, beside those that are tried of every route (anyAsk). */
export const restRows: Readonly<Record<string, (world: World) => readonly RestAsk[]>> = {
  'GET /metrics': () => [{ what: 'all metrics' }],
  'GET /openapi.json': () => [{ what: 'the description' }],
  'GET /docs': () => [{ what: 'the page' }],
  'POST /api/v1/interactions': () => [
    { what: '170,000 empty records in 620 bytes', body: emptyRecords(170_000), headers: gzip },
    { what: 'a megabyte of records as one list', body: `[${records(BODY).join(',')}]`, headers: json },
    { what: 'a megabyte of records as lines', body: records(BODY).join('\n'), headers: lines },
    { what: 'a conversation of a megabyte', body: transcripts(1, 2_200), headers: lines },
    { what: 'a conversation of 14 MB', body: longest(), headers: lines },
    { what: 'a hundred conversations', body: transcripts(100, 22), headers: lines },
    { what: 'a record that nests', body: `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, headers: lines },
  ],
  'POST /api/v1/transcripts': () => [
    { what: 'a transcript of a megabyte', query: SAID, body: subtitles(BODY), headers: { 'content-type': 'text/vtt' } },
    { what: 'a megabyte of brackets', query: SAID, body: '['.repeat(BODY), headers: json },
    { what: 'a hundred mappings', query: `${SAID}&${mappings(100)}`, body: subtitles(1_000), headers: json },
  ],
  'GET /api/v1/interactions': () => [
    { what: 'the longest page', query: 'limit=500&sort=score_asc' },
    { what: 'a name nobody has', query: `agent_id=${encodeURIComponent('Ada Agent'.repeat(20))}` },
  ],
  'GET /api/v1/interactions/{interaction_id}': ({ largeCall, longTurns, longestTurns }) => [
    { what: 'a call of 14 MB', params: { interaction_id: largeCall } },
    { what: 'a call of 14 MB in 150 turns', params: { interaction_id: longTurns } },
    { what: 'a call of 14 MB in 14 turns', params: { interaction_id: longestTurns } },
  ],
  'POST /api/v1/interactions/{interaction_id}/feedback': ({ call }) => [
    { what: 'the longest text', params: { interaction_id: call }, ...body({ rating: 1, text: text(4_000) }) },
  ],
  'GET /api/v1/interactions/{interaction_id}/feedback': ({ largeCall }) => [
    { what: 'of a call of 14 MB', params: { interaction_id: largeCall } },
  ],
  'DELETE /api/v1/interactions/{interaction_id}/feedback/{feedback_id}': ({ largeCall }) => [
    { what: 'of a call of 14 MB', params: { interaction_id: largeCall } },
  ],
  'GET /api/v1/agents': () => [{ what: 'all agents' }],
  'GET /api/v1/agents/{agent_id}/performance': ({ agentId }) => [
    {
      what: 'every day of thirty years',
      params: { agent_id: agentId },
      query: 'include_signals=true&interval=day&start_date=1996-01-01',
    },
  ],
  'GET /api/v1/groups': () => [{ what: 'a month', query: 'month=2026-02' }],
  'GET /api/v1/scores/distribution': () => [{ what: 'a hundred bands', query: 'bands=100' }],
  'GET /api/v1/export': () => [{ what: 'everything' }],
  'GET /api/v1/bulk/interactions': () => [{ what: 'everything' }],
  'POST /api/v1/query': () => [
    {
      what: 'a thousand documents as CSV',
      body: JSON.stringify({ pipeline: [{ $project: { transcript: 0 } }], limit: 1_000, max_bytes: 1_000_000 }),
      headers: { ...json, accept: 'text/csv' },
    },
    {
      what: 'thousands of columns as CSV',
      body: JSON.stringify({ pipeline: longSet(), max_bytes: 1_000_000 }),
      headers: { ...json, accept: 'text/csv' },
    },
  ],
  'GET /api/v1/knowledge-base': () => [{ what: 'all documents' }],
  'POST /api/v1/knowledge-base': () => [
    {
      what: '8 MB of text in sections',
      ...body({
        name: 'l.md',
        title: 'L',
        sections: of([text(100_000)], 83).map(one => ({ text: one.slice(0, 100_000) })),
      }),
    },
    {
      what: '30,000 small sections',
      ...body({ name: 's.md', title: 'S', sections: words(30_000).map(one => ({ text: one })) }),
    },
    { what: '8 MB of brackets', body: brackets(8_000_000), headers: json },
  ],
  'GET /api/v1/rubric': () => [{ what: 'the built-in one' }],
  'GET /api/v1/rubric/versions': () => [{ what: 'all' }],
  'PUT /api/v1/rubric': () => [
    { what: '60,000 unknown keys', ...body({ text: rubricOfKeys(60_000) }) },
    { what: 'a thousand patterns', ...body({ text: rubricOfPatterns(1_000) }) },
    { what: 'a built-in one', ...body({ built_in: 'support-calls' }) },
  ],
  'POST /api/v1/rubric/try': () => [
    { what: '60,000 unknown keys', ...body({ text: rubricOfKeys(60_000) }) },
    { what: 'a thousand patterns', ...body({ text: rubricOfPatterns(1_000), sample: 500 }) },
    { what: 'a built-in one on the largest sample', ...body({ built_in: 'sales-calls', sample: 500 }) },
  ],
  'GET /api/v1/tasks': () => [{ what: 'all' }],
  'POST /api/v1/tasks': () => [
    {
      what: 'a schedule that never comes',
      ...body({ kind: 'retention', schedule: '0 0 0 30 2 *', parameters: { calls_after_days: 30 } }),
    },
    {
      what: 'parameters of unknown fields',
      body: `{"kind":"retention","schedule":"@daily","parameters":${unknownFields(900_000)}}`,
      headers: json,
    },
  ],
  'POST /api/v1/tasks/check': () => [
    {
      what: 'a schedule that hardly ever comes',
      ...body({
        kind: 'retention',
        schedule: { cron: '59 59 23 29 2 1', time_zone: 'Africa/Casablanca' },
        parameters: { calls_after_days: 30 },
      }),
    },
  ],
  'GET /api/v1/webhooks': () => [{ what: 'all' }],
  'POST /api/v1/webhooks': () => [
    {
      what: 'the longest address',
      ...body({ url: `https://hooks.example.com/${'x'.repeat(2_000)}`, events: ['key.minted'] }),
    },
  ],
  'GET /api/v1/alerts': () => [{ what: 'all' }],
  'POST /api/v1/alerts': () => [
    {
      what: 'a thousand agents',
      ...body({ name: 'A', condition: { kind: 'score_below', threshold: 2 }, agents: words(1_000) }),
    },
  ],
  'POST /projects/{project_id}/mcp-keys': ({ project }) => [
    {
      what: '10,000 agents',
      params: { project_id: project },
      ...body({ name: 'K', allowed_agents: words(10_000).map(name => `${name} ${'x'.repeat(60)}`) }),
    },
  ],
  'GET /projects/{project_id}/mcp-keys': ({ project }) => [{ what: 'all', params: { project_id: project } }],
  'GET /api/v1/projects': () => [{ what: 'all' }],
  'POST /api/v1/projects': () => [
    { what: 'fifty verticals', ...body({ project_id: 'new', verticals: words(50).map(one => one.slice(0, 60)) }) },
  ],
}

const pipelines: readonly ToolAsk[] = [
  { what: '64 KiB of conditions', args: { pipeline: longMatch() } },
  { what: '64 KiB of computed fields', args: { pipeline: longSet(), max_bytes: 1_000_000 } },
  { what: '64 KiB as text', args: { pipeline: JSON.stringify(longMatch()) } },
  { what: '64 KiB explained', args: { pipeline: longMatch(), explain: true } },
  {
    what: 'a megabyte of answer',
    args: {
      pipeline: [{ $project: { transcript: 1, session_metadata: 1, signals: 1 } }],
      limit: 1_000,
      max_bytes: 1_000_000,
    },
  },
  { what: 'a call of 14 MB', args: { pipeline: [{ $match: { _id: 'large' } }], max_bytes: 1_000_000 } },
  {
    what: 'a thousand windows evaluated after the engine',
    args: {
      pipeline: [{ $redact: '$$DESCEND' }, { $limit: 1_000 }, { $project: { scores: 1, signals: 1 } }],
      limit: 1_000,
    },
  },
]

const NEVER_HAD = 'N'.repeat(200)

/** Asks that are dear for a tool itself, by its name; one without a row is asked its example. */
export const toolRows: Readonly<Record<string, (world: World) => readonly ToolAsk[]>> = {
  get_project_context: () => [{ what: 'all of it', args: {} }],
  search_calls: () => [
    {
      what: 'a long text in the longest page',
      args: { text: 'so very sorry to hear that and really', limit: 50, sort: 'lift_desc' },
    },
    { what: 'names that nobody has', args: { agent_name: NEVER_HAD, driver: NEVER_HAD, signal_key: NEVER_HAD } },
  ],
  get_call_detail: ({ largeCall, longTurns, longestTurns }) => [
    { what: 'a call of 14 MB', args: { session_id: largeCall } },
    { what: 'a call of 14 MB in 150 turns', args: { session_id: longTurns } },
    { what: 'a call of 14 MB in 14 turns', args: { session_id: longestTurns } },
    { what: 'the same with all conditions', args: { session_id: largeCall, include_conditions: true } },
  ],
  compare_calls: ({ largeCall, call }) => [
    { what: 'a call of 14 MB with another', args: { session_id_a: largeCall, session_id_b: call } },
  ],
  get_project_summary: () => [
    { what: 'every day of thirty years', args: { date_from: '1996-01-01', interval: 'day', top: 20 } },
  ],
  get_agent_performance: () => [
    { what: 'everyone with signals', args: { date_from: '1996-01-01', min_calls: 1, include_signals: true } },
  ],
  query_interactions: () => pipelines,
  detect_changes: () => [
    {
      what: 'a year against a year',
      args: { period: '2026-01-01 to 2026-12-31', baseline: '2025-01-01 to 2025-12-31', min_occurrences: 1 },
    },
    { what: 'the newest days', args: { period: 'last 30 days', min_occurrences: 1 } },
  ],
  query_user_activity: () => [{ what: 'the newest', args: { query_type: 'recent_activity' } }],
  get_signals: () => [{ what: 'all of them', args: { limit: 500 } }],
  search_guidance: () => [{ what: 'a long query', args: { query: text(1_000) } }],
  query_knowledge_base: () => [
    { what: 'a long query', args: { query: text(1_000) } },
    { what: 'words that thousands of sections have', args: { query: COMMON_WORDS } },
    {
      what: 'words like those of a vocabulary of 100,000',
      args: { query: 'w1ord w2word wo3rd w44rd w5ordd w6ord w7ord w8ord' },
    },
  ],
}

/** By name or template; one without a row fails. */
export const resourceRows: Readonly<Record<string, (world: World) => string>> = {
  'earshot://project/{project_id}/signals': ({ project }) => `earshot://project/${project}/signals`,
  'earshot://project/{project_id}/guidance': ({ project }) => `earshot://project/${project}/guidance`,
  'earshot://project/{project_id}/rubric': ({ project }) => `earshot://project/${project}/rubric`,
  'earshot://project/{project_id}/schema': ({ project }) => `earshot://project/${project}/schema`,
  'earshot://project/{project_id}/scope': ({ project }) => `earshot://project/${project}/scope`,
  'earshot://call/{session_id}/transcript': ({ largeCall }) => `earshot://call/${largeCall}/transcript`,
}
export const promptRows: Readonly<Record<string, (world: World) => Readonly<Record<string, string>>>> = {
  coach_agent: ({ agentName }) => ({ agent_name: agentName }),
  weekly_review: () => ({}),
  explain_call: ({ largeCall }) => ({ session_id: largeCall }),
}

/** Messages of the protocol itself, as they are sent. */
export const messageRows: readonly { readonly what: string; readonly body: string }[] = [
  {
    what: 'a message of brackets',
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_signals","arguments":{"a":${brackets(BODY)}}}}`,
  },
  {
    what: 'unknown arguments',
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_calls","arguments":${unknownFields(BODY)}}}`,
  },
  {
    what: 'a pipeline of a megabyte',
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_interactions","arguments":{"pipeline":${brackets(BODY)}}}}`,
  },
  { what: 'a method of a megabyte', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(BODY) }) },
  {
    what: 'a batch of a hundred',
    body: JSON.stringify(
      Array.from({ length: 100 }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'get_signals', arguments: {} },
      })),
    ),
  },
  {
    what: 'a hundred lists',
    body: JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))),
  },
  { what: 'a megabyte that nests', body: '['.repeat(BODY / 2) + ']'.repeat(BODY / 2) },
]

/** Parameters of a path that no ask gives, as long as they may be. */
export const longParameter = 'p'.repeat(PARAMETER)
