import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { environment, type RunningService } from '../service/running-service.js'
import type { Ledger, ListedKey, TakenCalls } from './ledger.js'
import type { Random } from './random-of.js'
import { agentOfVersion, scoreOfVersion } from './told.js'

interface CallersParts {
  readonly service: Pick<RunningService, 'apiUrl' | 'mcpUrl' | 'log'>
  /** Clients go on where something fails: others of the processes behind a proxy are still there. */
  readonly goesOn?: boolean
  /** A key that hears one agent, which asks throughout. */
  readonly narrowed?: NarrowedKey
  readonly ledger: Ledger
  readonly project: string
  readonly admin: string
  readonly round: number
  readonly random: Random
  readonly dataDir: string
}

/** A key's token, and the one agent that it hears. */
export interface NarrowedKey {
  readonly token: string
  readonly agent: string
}

/** Between a failure and the next try, milliseconds. */
const PAUSE_MS = 20
const UNAVAILABLE = 503
/** All places were taken: a busy machine, which is no loss. */
const BUSY = 429
/** Longest that a check is refused for now, milliseconds. */
const MOST_REFUSED_MS = 60_000

class RefusedForNow extends Error {}

/** Round 0 of the calendar; each round's new calls have a day of their own, by which they are listed afterwards. */
const FIRST_DAY = Date.UTC(2020, 0, 1)
const DAY_MS = 24 * 60 * 60 * 1000
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
/** Of so many imports one has calls of today, a day that goes on. */
const IMPORTS_A_PRESENT_ONE = 8

const minted = z.object({ key_id: z.string(), key: z.string() })
const page = z.object({
  interactions: z.array(z.object({ session_id: z.string(), title: z.string() })),
  next_cursor: z.string().optional(),
})
const agentList = z.object({
  agents: z.array(z.object({ agent_name: z.string(), calls: z.int(), average_score: z.number() })),
})
const keyList = z.object({ keys: z.array(z.object({ key_id: z.string(), name: z.string(), active: z.boolean() })) })

/** The clients of one round. Each goes on until the service is gone, and tells the ledger what it was told. */
export class Callers {
  readonly #parts: CallersParts
  readonly #day: string
  #tools: readonly ((turn: number) => Promise<void>)[] = []
  readonly #clients: Client[] = []
  #command: ChildProcess | undefined
  #imports = 0

  constructor(parts: CallersParts) {
    this.#parts = parts
    this.#day = dateOf(FIRST_DAY + parts.round * DAY_MS)
  }

  /** Mints this round's key and opens the sessions, before the killing starts. */
  async connect(): Promise<void> {
    const { key } = await this.#untilTold(() => this.#mint('caller'))
    this.#tools = await Promise.all(
      (['2025-11-25', '2026-07-28'] as const).map(async revision => await this.#client(key, revision)),
    )
  }

  /** Works until the service is gone. Never rejects. */
  async work(gone: AbortSignal): Promise<void> {
    const { goesOn = false, narrowed } = this.#parts
    const loops = [
      ...this.#tools,
      () => this.#import(),
      () => this.#changeKeys(),
      () => this.#read(),
      () => this.#erase(),
      ...(narrowed === undefined ? [] : [(turn: number) => this.#askNarrowed(narrowed, turn)]),
    ]
    const commands = this.#parts.round % 5 === 0 ? this.#importByCommands(gone) : Promise.resolve()
    await Promise.all(loops.map(async act => await (goesOn ? untilEnd(act, gone) : untilGone(act, gone))))
    // A command whose server is gone goes on with the store itself; it ends before the next start, or is killed too.
    if (this.#parts.random.between(0, 1) === 0) this.#command?.kill('SIGKILL')
    await commands
    // oxlint-disable-next-line no-await-in-loop -- two of them
    for (const client of this.#clients) await client.close().catch(() => undefined)
  }

  /** Writes a call and a key, again until it is done: what was cut off before is done by then. */
  async settle(mostMs: number): Promise<void> {
    const until = performance.now() + mostMs
    for (const act of [() => this.#import(), () => this.#changeKeys()]) {
      for (;;) {
        // oxlint-disable no-await-in-loop -- until it is done
        const failure = await act().then(
          () => undefined,
          (error: unknown) => error,
        )
        if (failure === undefined) break
        if (performance.now() > until) {
          this.#parts.ledger.lost(
            `nothing could be written for ${mostMs} ms: ${failure instanceof Error ? failure.message : 'for a reason that is none'}`,
          )
          return
        }
        await sleep(PAUSE_MS)
        // oxlint-enable no-await-in-loop
      }
    }
  }

  /** The calls of a day with their versions. */
  async callsOf(day: string): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>()
    for (let cursor: string | undefined, more = true; more;) {
      const query = new URLSearchParams({ start_date: day, end_date: day, limit: '500', ...(cursor && { cursor }) })
      // oxlint-disable-next-line no-await-in-loop -- a page at a time
      const { interactions, next_cursor } = await this.#told(page, `/api/v1/interactions?${query.toString()}`)
      for (const { session_id, title } of interactions) found.set(session_id, Number(title.slice(1)))
      cursor = next_cursor
      more = next_cursor !== undefined
    }
    return found
  }

  /** How many calls each agent has and their mean score, of counted days as far as these are counted. */
  async agents(): Promise<ReadonlyMap<string, TakenCalls>> {
    const { agents } = await this.#told(agentList, '/api/v1/agents/performance?min_calls=1')
    return new Map(agents.map(({ agent_name: name, calls, average_score: score }) => [name, { calls, score }]))
  }

  async keys(): Promise<readonly ListedKey[]> {
    return (await this.#told(keyList, `/projects/${this.#parts.project}/mcp-keys?include_revoked=true`)).keys
  }

  /** What a check is told. @throws Error with what was said in its place */
  async #told<T>(schema: z.ZodType<T>, path: string): Promise<T> {
    return await this.#untilTold(async () => {
      const response = await this.#ask('GET', path)
      const text = await response.text()
      if (response.status !== 200) throw new Error(`GET ${path} was answered ${response.status}: ${text}`)
      return schema.parse(JSON.parse(text))
    })
  }

  /** Asks again as long as it is refused for now. */
  async #untilTold<T>(ask: () => Promise<T>): Promise<T> {
    const until = performance.now() + MOST_REFUSED_MS
    for (;;) {
      // oxlint-disable no-await-in-loop -- until somebody can say
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof RefusedForNow) || performance.now() > until) throw error
      }
      await sleep(PAUSE_MS)
      // oxlint-enable no-await-in-loop
    }
  }

  async isAccepted(token: string): Promise<boolean> {
    for (;;) {
      // oxlint-disable no-await-in-loop -- until somebody can say
      const response = await fetch(`${this.#parts.service.apiUrl}/api/v1/agents`, {
        headers: { authorization: `Bearer ${token}` },
      })
      await response.arrayBuffer()
      if (response.status !== UNAVAILABLE) return response.status === 200
      await sleep(PAUSE_MS)
      // oxlint-enable no-await-in-loop
    }
  }

  /** Requests that the activity table counts, asked as a question. */
  async activityRequests(): Promise<number> {
    const { key } = await this.#mint('last')
    const client = await this.#connected(key, '2025-11-25', () => undefined)
    const asked = await client.callTool({ name: 'query_user_activity', arguments: { query_type: 'summary' } })
    return z.object({ requests: z.int() }).parse(asked.structuredContent).requests
  }

  async #client(key: string, revision: '2025-11-25' | '2026-07-28'): Promise<(turn: number) => Promise<void>> {
    let last: string | null = null
    const connect = async () => await this.#connected(key, revision, id => (last = id))
    // Behind a proxy the first try may meet a process that is gone.
    let client: Client | undefined = this.#parts.goesOn === true ? undefined : await connect()
    const asks: readonly (readonly [string, Record<string, unknown>])[] = [
      ['get_project_context', {}],
      ['search_calls', { limit: 5 }],
      ['get_call_detail', { session_id: 'not there' }],
      ['get_project_summary', {}],
      ['get_signals', {}],
    ]
    return async turn => {
      const [name, args] = asks[turn % asks.length]!
      client ??= await connect()
      try {
        await client.callTool({ name, arguments: args })
      } catch (error) {
        client = undefined
        throw error
      }
      this.#parts.ledger.answered(last)
      this.#parts.ledger.askedOver(revision)
    }
  }

  /** The official client; `onCall` hears the id of each tool call's request. */
  async #connected(
    key: string,
    revision: '2025-11-25' | '2026-07-28',
    onCall: (requestId: string | null) => void,
  ): Promise<Client> {
    const pinned = revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {}
    const client = new Client({ name: 'soak', version: '1' }, pinned)
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', this.#parts.service.mcpUrl), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (typeof init?.body === 'string' && init.body.includes('"tools/call"')) {
          onCall(response.headers.get('x-request-id'))
        }
        return response
      },
    })
    await client.connect(transport)
    this.#clients.push(client)
    return client
  }

  /** New calls, and some that replace older ones. */
  async #import(): Promise<void> {
    const { ledger, random } = this.#parts
    const ids = this.#newIds(random.between(1, 60))
    const known = ledger.untouched()
    const again = new Set(Array.from({ length: random.between(0, 10) }, () => random.pick(known) ?? ids[0]!))
    const all = [...new Set([...ids, ...again])]
    const isPresent = random.between(1, IMPORTS_A_PRESENT_ONE) === 1
    const batch = ledger.importing(all, isPresent ? dateOf(Date.now()) : this.#day)
    const response = await this.#ask('POST', '/api/v1/interactions', {
      type: 'application/x-ndjson',
      body: this.#lines(all, batch.version),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`an import was answered ${response.status}: ${text}`)
    const report = z.object({ stored: z.int() }).parse(JSON.parse(text))
    if (report.stored === all.length) ledger.imported(batch)
    else ledger.lost(`an import stored ${report.stored} of ${all.length} calls`)
  }

  async #importByCommands(gone: AbortSignal): Promise<void> {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      while (!gone.aborted) await this.#importByCommand()
    } catch {
      // The end of this client.
    }
  }

  /** `earshot import` beside the running server, which it reaches by the control socket. */
  async #importByCommand(): Promise<void> {
    const { dataDir, ledger, project } = this.#parts
    const ids = this.#newIds(200)
    const batch = ledger.importing(ids, this.#day)
    const child = spawn(process.execPath, ['bin/earshot.cjs', 'import', '-', '--project', project, '--json'], {
      env: environment(dataDir),
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin.on('error', () => undefined).end(this.#lines(ids, batch.version))
    this.#command = child
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece))
    const [code] = (await once(child, 'close')) as [number | null]
    this.#command = undefined
    // Its server was killed under it, or it was killed itself.
    if (code !== 0) throw new Error('the command failed')
    if (z.object({ stored: z.int() }).parse(JSON.parse(said)).stored === ids.length) ledger.imported(batch)
  }

  async #erase(): Promise<void> {
    const { ledger, random } = this.#parts
    const id = random.pick(ledger.untouched())
    if (id === undefined) return await sleep(50)
    ledger.erasing(id)
    const response = await this.#ask('DELETE', `/api/v1/interactions/${encodeURIComponent(id)}`)
    await response.arrayBuffer()
    if (response.status === 204) ledger.erased(id)
    else if (response.status === 404) ledger.lost(`call ${id} was not there to be erased`)
  }

  async #changeKeys(): Promise<void> {
    const { ledger, random, project } = this.#parts
    const { key_id: keyId } = await this.#mint(`key ${random.between(1, 1_000_000)}`)
    const other = random.pick(ledger.activeKeys()) ?? keyId
    const change =
      random.between(0, 2) === 0 ? ({ active: false } as const) : { name: `renamed ${random.between(1, 1e6)}` }
    ledger.changing(other, change)
    const response = await this.#ask('PATCH', `/projects/${project}/mcp-keys/${other}`, {
      body: JSON.stringify(change),
    })
    await response.arrayBuffer()
    if (response.status === 200) ledger.changed(other, change)
  }

  async #mint(name: string) {
    const { ledger, project } = this.#parts
    const response = await this.#ask('POST', `/projects/${project}/mcp-keys`, { body: JSON.stringify({ name }) })
    const text = await response.text()
    if (response.status !== 201) throw new Error(`minting a key was answered ${response.status}: ${text}`)
    const key = minted.parse(JSON.parse(text))
    ledger.minted(key.key_id, key.key, name)
    return key
  }

  async #read(): Promise<void> {
    const response = await this.#ask('GET', '/api/v1/agents')
    await response.arrayBuffer()
  }

  /** Asks in one of many ways, and looks whether the answer names an agent that the key does not hear. */
  async #askNarrowed({ token, agent }: NarrowedKey, turn: number): Promise<void> {
    const { service, ledger } = this.#parts
    const [path, body] = NARROWED_ASKS[turn % NARROWED_ASKS.length]!
    const response = await fetch(`${service.apiUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status === UNAVAILABLE) ledger.refused()
    else ledger.answered(response.headers.get('x-request-id'))
    const others = [...new Set(text.match(/Agent \d/g))].filter(name => name !== agent)
    if (others.length > 0) ledger.lost(`${path} told ${others.join(', ')} to a key that hears ${agent}`)
    if (response.status === 200) ledger.askedNarrowed(text.includes(agent))
  }

  /** A request as an administrator; an answer to it counts when its body has come to its end. */
  async #ask(method: string, path: string, { type = 'application/json', body }: { type?: string; body?: string } = {}) {
    const { service, admin, project, ledger } = this.#parts
    const response = await fetch(`${service.apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${admin}`,
        ...(path.startsWith('/api/') ? { 'x-project-id': project } : {}),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body }),
    })
    const whole = await response.arrayBuffer()
    if (this.#parts.goesOn === true && (response.status === UNAVAILABLE || response.status === BUSY)) {
      ledger.refused()
      throw new RefusedForNow(`${method} ${path} was answered ${response.status}: ${new TextDecoder().decode(whole)}`)
    }
    ledger.answered(response.headers.get('x-request-id'))
    if (response.status >= 500) {
      const said = service
        .log()
        .split('\n')
        .findLast(line => line.includes('"err"'))
      ledger.lost(`${method} ${path} was answered ${response.status}: ${said ?? Buffer.from(whole).toString()}`)
    }
    return new Response(response.status === 204 ? null : whole, { status: response.status })
  }

  #newIds(count: number): string[] {
    this.#imports += 1
    return Array.from({ length: count }, (_, n) => `r${this.#parts.round}-${this.#imports}-${n}`)
  }

  #lines(ids: readonly string[], version: number): string {
    const { ledger } = this.#parts
    return ids
      .map(id => {
        const day = ledger.dayOf(id) ?? this.#day
        const record = { session_id: id, agent_name: agentOfVersion(version), created_dt: `${day}T00:00:00Z` }
        const score = scoreOfVersion(version)
        return `${JSON.stringify({ ...record, score, title: `v${version}`, coaching_summary: 'x'.repeat(version % 3_000) })}\n`
      })
      .join('')
  }
}

/** Ways to ask that name agents, each as far as it goes. */
const NARROWED_ASKS: readonly (readonly [string, object?])[] = [
  ['/api/v1/interactions?limit=200'],
  ['/api/v1/agents'],
  ['/api/v1/query', { pipeline: [{ $group: { _id: '$agent_name', calls: { $sum: 1 } } }] }],
  ['/api/v1/interactions?limit=50&sort=score_desc'],
  ['/api/v1/query', { pipeline: [{ $sort: { created_dt: -1 } }, { $limit: 20 }, { $project: { agent_name: 1 } }] }],
]

/** Does something again and again, whatever fails, until its end is told; what is under way then is waited for. */
async function untilEnd(act: (turn: number) => Promise<void>, end: AbortSignal): Promise<void> {
  // oxlint-disable no-await-in-loop -- one client does one thing at a time
  for (let turn = 0; !end.aborted; turn += 1) await act(turn).catch(async () => await sleep(PAUSE_MS))
  // oxlint-enable no-await-in-loop
}

/** Does something again and again until it fails or the service is gone: the official client waits on for an answer. */
async function untilGone(act: (turn: number) => Promise<void>, gone: AbortSignal): Promise<void> {
  const ended = once(gone, 'abort').then(() => {
    throw new Error('The service is gone')
  })
  try {
    // oxlint-disable-next-line no-await-in-loop -- one client does one thing at a time
    for (let turn = 0; ; turn += 1) await Promise.race([act(turn), ended])
  } catch {
    // The end of this client.
  }
}
