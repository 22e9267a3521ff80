import { connect as connectSocket, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  brackets,
  callOf,
  conversation,
  emptyRecords,
  heavyPipeline,
  longMatch,
  longSet,
  rubricOfKeys,
  rubricOfPatterns,
  unknownFields,
} from './hostile-input.js'

/** What a hostile tenant has: a project with keys, and a token that administers it. */
export interface Hostile {
  readonly apiUrl: string
  readonly mcpUrl: string
  readonly project: string
  readonly keys: readonly string[]
  readonly adminToken: string
  /** Ids of calls of its own. */
  readonly calls: readonly string[]
}

/** How an attacker's requests were answered, by status; connections that ended otherwise under `broken`. */
export type Tally = Map<string, number>

export interface Attack {
  readonly name: string
  /** Goes on until the signal; gives back nothing, since all it did is in the tally. */
  run(hostile: Hostile, signal: AbortSignal, tally: Tally): Promise<void>
}

const json = { 'content-type': 'application/json' }
const lines = { 'content-type': 'application/x-ndjson' }
const gzip = { ...lines, 'content-encoding': 'gzip' }
const rpcHeaders = { ...json, accept: 'application/json, text/event-stream' }

const count = (tally: Tally, outcome: string): void => void tally.set(outcome, (tally.get(outcome) ?? 0) + 1)

interface Sent {
  readonly method?: string
  readonly url: string
  readonly as: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request and reads its answer; a tool's refusal counts as `refused`. */
async function send({ method = 'POST', url, as, body, headers = {} }: Sent, signal: AbortSignal, tally: Tally) {
  try {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${as}`, ...headers },
      signal,
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.text()
    count(tally, text.includes('"isError":true') ? 'refused' : String(answer.status))
    // Whoever is told to come back later waits a little, as a patient attacker does: what counts is what is let in.
    if (answer.status === 429 || answer.status === 503) await sleep(50, undefined, { signal })
    return { status: answer.status, headers: answer.headers, text }
  } catch {
    if (!signal.aborted) count(tally, 'broken')
    return undefined
  }
}

/** So many clients at once, each going on until the signal. */
async function clients(many: number, signal: AbortSignal, once: (client: number, turn: number) => Promise<unknown>) {
  const one = async (client: number) => {
    for (let turn = 0; !signal.aborted; turn += 1) {
      // oxlint-disable-next-line no-await-in-loop
      await once(client, turn).catch(() => undefined)
      // oxlint-disable-next-line no-await-in-loop
      await sleep(1)
    }
  }
  await Promise.all(Array.from({ length: many }, (_, client) => one(client)))
}

const turnOf = <T>(from: readonly T[], turn: number): T => from[turn % from.length]!
const call = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
const ask = (hostile: Hostile, key: string, name: string, args: object): Sent => ({
  url: `${hostile.mcpUrl}/mcp`,
  as: key,
  headers: rpcHeaders,
  body: call(name, args),
})
const importing = (hostile: Hostile, as: string, body: string | Buffer, headers: Readonly<Record<string, string>>) => ({
  url: `${hostile.apiUrl}/api/v1/interactions`,
  as,
  body,
  headers,
})
const administering = (
  { apiUrl, adminToken, project }: Hostile,
  method: string,
  path: string,
  value: object,
): Sent => ({
  method,
  url: `${apiUrl}${path}`,
  as: adminToken,
  body: JSON.stringify(value),
  headers: { ...json, 'x-project-id': project },
})

/** An attack of clients that send the same requests over and over. */
function repeated(name: string, many: number, sentBy: (hostile: Hostile) => readonly Sent[]): Attack {
  return {
    name,
    run: async (hostile, signal, tally) => {
      const requests = sentBy(hostile)
      await clients(many, signal, (client, turn) => send(turnOf(requests, client + turn * many), signal, tally))
    },
  }
}

const addressOf = (url: string) => {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

/** Connections that send a beginning and then, every so often, a piece more; opened anew when they are ended. */
function trickling(
  name: string,
  many: number,
  {
    to,
    begin,
    more,
  }: { to: (hostile: Hostile) => string; begin: (hostile: Hostile, i: number) => string | Buffer; more?: string },
): Attack {
  return {
    name,
    run: async (hostile, signal, tally) => {
      const address = addressOf(to(hostile))
      const open = new Set<Socket>()
      const connect = (i: number): void => {
        if (signal.aborted) return
        const socket = connectSocket(address)
        open.add(socket)
        count(tally, 'opened')
        socket.on('error', () => undefined)
        socket.on('data', piece => {
          const status = /^HTTP\/1\.1 (\d+)/.exec(piece.toString('latin1'))?.[1]
          if (status !== undefined) count(tally, status)
        })
        socket.on('close', () => {
          open.delete(socket)
          // Not at once: an attacker that does nothing but connect is another attack.
          setTimeout(() => connect(i), 500).unref()
        })
        socket.write(begin(hostile, i))
      }
      for (let i = 0; i < many; i += 1) connect(i)
      while (!signal.aborted) {
        // oxlint-disable-next-line no-await-in-loop
        await sleep(1_000, undefined, { signal }).catch(() => undefined)
        if (more !== undefined) for (const socket of open) socket.write(more)
      }
      for (const socket of open) socket.destroy()
    },
  }
}

const request = (url: string, path: string, key: string, more: readonly string[]) =>
  [`POST ${path} HTTP/1.1`, `Host: ${new URL(url).host}`, `Authorization: Bearer ${key}`, ...more, '', ''].join('\r\n')

const HALF_BODY = Buffer.alloc(450_000, 0x20)

/** Sessions opened without an end, none of them closed, by all keys; and what they leave behind idle. */
const sessions: Attack = {
  name: 'sessions by ten keys, all left idle',
  run: async (hostile, signal, tally) => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'idle', version: '1' } },
    })
    await clients(20, signal, (client, turn) =>
      send(
        { url: `${hostile.mcpUrl}/mcp`, as: turnOf(hostile.keys, client + turn), headers: rpcHeaders, body },
        signal,
        tally,
      ),
    )
  },
}

/** Event streams that are opened and never read. */
const streams: Attack = {
  name: 'event streams by ten keys, never read',
  run: async (hostile, signal, tally) => {
    await clients(100, signal, async (client, turn) => {
      const answer = await fetch(`${hostile.mcpUrl}/sse`, {
        headers: { authorization: `Bearer ${turnOf(hostile.keys, client + turn)}`, accept: 'text/event-stream' },
        signal,
      })
      count(tally, String(answer.status))
      if (answer.ok) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
      else await sleep(100, undefined, { signal })
    })
  },
}

/** Answers of many megabytes that are taken a little at a time. */
const slowReaders: Attack = {
  name: 'exports that are read slowly',
  run: async (hostile, signal, tally) => {
    await clients(20, signal, async () => {
      const { apiUrl, adminToken, project } = hostile
      const answer = await fetch(`${apiUrl}/api/v1/export`, {
        headers: { authorization: `Bearer ${adminToken}`, 'x-project-id': project },
        signal,
      })
      count(tally, String(answer.status))
      const reader = answer.body?.getReader()
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop
        const { done } = (await reader?.read()) ?? { done: true }
        if (done) return
        // oxlint-disable-next-line no-await-in-loop
        await sleep(200, undefined, { signal })
      }
    })
  },
}

const large = () => JSON.stringify(callOf('large', { transcript: conversation(15_000, 20) }))
const thirteenMs = [{ $unwind: '$signals' }, { $group: { _id: '$signals.key', n: { $sum: 1 } } }, { $sort: { n: -1 } }]

/** What was tried, in the order of the report. */
export const attacks: readonly Attack[] = [
  repeated('50,000 records in 184 bytes', 4, hostile =>
    hostile.keys.map(key => importing(hostile, key, emptyRecords(50_000), gzip)),
  ),
  repeated('170,000 records in 620 bytes', 4, hostile =>
    hostile.keys.map(key => importing(hostile, key, emptyRecords(170_000), gzip)),
  ),
  repeated('rubrics of 90,000 keys', 4, hostile => [
    administering(hostile, 'PUT', '/api/v1/rubric', { text: rubricOfKeys(90_000) }),
    administering(hostile, 'POST', '/api/v1/rubric/try', { text: rubricOfKeys(90_000) }),
  ]),
  repeated('a rubric of 1,000 patterns, and imports', 4, hostile => {
    const calls = Array.from({ length: 50 }, (_, i) =>
      JSON.stringify(callOf(`p${i}`, { transcript: conversation(40) })),
    )
    return [
      administering(hostile, 'PUT', '/api/v1/rubric', { text: rubricOfPatterns(1_000) }),
      administering(hostile, 'PUT', '/api/v1/rubric', { text: rubricOfPatterns(100) }),
      administering(hostile, 'POST', '/api/v1/rubric/try', { text: rubricOfPatterns(100), sample: 500 }),
      ...hostile.keys.slice(0, 3).map(key => importing(hostile, key, calls.join('\n'), lines)),
    ]
  }),
  {
    name: 'heavy questions of two keys',
    run: async (hostile, signal, tally) =>
      await clients(24, signal, (client, turn) =>
        send(
          ask(hostile, hostile.keys[client % 2]!, 'query_interactions', {
            pipeline: heavyPipeline(client * 1e6 + turn),
          }),
          signal,
          tally,
        ),
      ),
  },
  {
    name: 'heavy questions of ten keys',
    run: async (hostile, signal, tally) =>
      await clients(40, signal, (client, turn) =>
        send(
          ask(hostile, turnOf(hostile.keys, client), 'query_interactions', {
            pipeline: heavyPipeline(client * 1e6 + turn),
          }),
          signal,
          tally,
        ),
      ),
  },
  repeated('sixteen clients on one short pipeline', 16, hostile => [
    ask(hostile, hostile.keys[0]!, 'query_interactions', { pipeline: thirteenMs }),
  ]),
  sessions,
  streams,
  trickling('uploads that trickle', 40, {
    to: ({ apiUrl }) => apiUrl,
    begin: ({ apiUrl, keys }, i) =>
      `${request(apiUrl, '/api/v1/interactions', turnOf(keys, i), ['Content-Type: application/x-ndjson', 'Content-Length: 100000000'])}{}\n`,
    more: '{}\n',
  }),
  trickling('600 bodies of 900 kB, half sent', 600, {
    to: ({ mcpUrl }) => mcpUrl,
    begin: ({ mcpUrl, keys }, i) =>
      Buffer.concat([
        Buffer.from(
          request(mcpUrl, '/mcp', turnOf(keys, i), [
            'Content-Type: application/json',
            'Accept: application/json, text/event-stream',
            'Content-Length: 900000',
          ]),
        ),
        HALF_BODY,
      ]),
  }),
  trickling('600 bodies of 900 kB for REST, half sent', 600, {
    to: ({ apiUrl }) => apiUrl,
    begin: ({ apiUrl, project, adminToken }) =>
      Buffer.concat([
        Buffer.from(
          request(apiUrl, `/projects/${project}/mcp-keys`, adminToken, [
            'Content-Type: application/json',
            'Content-Length: 900000',
          ]),
        ),
        HALF_BODY,
      ]),
  }),
  trickling('connections that are refused and stay', 400, {
    to: ({ apiUrl }) => apiUrl,
    begin: (_, i) => (i % 2 === 0 ? 'GET /api/v1/agents HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n' : 'NOT HTTP\r\n\r\n'),
    more: 'X: y\r\n',
  }),
  repeated('pipelines of 64 KiB', 10, hostile =>
    hostile.keys.flatMap(key =>
      [longMatch(), longSet()].map(pipeline => ask(hostile, key, 'query_interactions', { pipeline })),
    ),
  ),
  repeated('bodies of a megabyte that are all structure', 10, hostile =>
    hostile.keys.flatMap(key => [
      {
        url: `${hostile.mcpUrl}/mcp`,
        as: key,
        headers: rpcHeaders,
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_calls","arguments":{"a":${brackets(1_000_000)}}}}`,
      },
      administering(hostile, 'POST', `/projects/${hostile.project}/mcp-keys`, {
        name: JSON.parse(brackets(300_000)) as unknown,
      }),
      { ...administering(hostile, 'POST', '/api/v1/alerts', {}), body: unknownFields(1_000_000) },
    ]),
  ),
  repeated('documents of 30 MB', 2, hostile => [
    administering(hostile, 'POST', '/api/v1/knowledge-base', {
      name: 'large.md',
      title: 'Large',
      sections: Array.from({ length: 300 }, (_, i) => ({
        text: `${i} ${'what is said of refunds and cards '.repeat(2_900)}`,
      })),
    }),
  ]),
  {
    name: 'a call of 14 MB, asked for by ten keys',
    run: async (hostile, signal, tally) => {
      await send(importing(hostile, hostile.keys[0]!, large(), lines), signal, tally)
      await clients(10, signal, (client, turn) =>
        turn % 2 === 0
          ? send(
              { method: 'GET', url: `${hostile.apiUrl}/api/v1/interactions/large`, as: hostile.keys[client]! },
              signal,
              tally,
            )
          : send(
              ask(hostile, hostile.keys[client]!, 'get_call_detail', { session_id: 'large', include_conditions: true }),
              signal,
              tally,
            ),
      )
    },
  },
  slowReaders,
  repeated('as many light requests as its keys may send', 20, hostile =>
    hostile.keys.map((key, i) => ask(hostile, key, 'get_call_detail', { session_id: turnOf(hostile.calls, i) })),
  ),
  repeated('requests of an administrator of the same name', 8, hostile => [
    {
      method: 'GET',
      url: `${hostile.apiUrl}/api/v1/agents`,
      as: hostile.adminToken,
      headers: { 'x-project-id': hostile.project },
    },
  ]),
  repeated('credentials that are none', 8, hostile => [
    { method: 'GET', url: `${hostile.apiUrl}/api/v1/agents`, as: 'esk_none' },
    { url: `${hostile.mcpUrl}/mcp`, as: 'esk_none', headers: rpcHeaders, body: call('get_signals', {}) },
  ]),
]
