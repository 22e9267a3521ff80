import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a quiet tenant has: one key, its administrator's token, and some calls. */
export interface Quiet {
  readonly apiUrl: string
  readonly mcpUrl: string
  readonly project: string
  readonly key: string
  readonly adminToken: string
  readonly calls: readonly string[]
}

/** How long one request may take until it counts as not answered, milliseconds. */
const ANSWER_MS = 30_000

/** Milliseconds between an answer and the next question: a person and a model at work. */
const PAUSE_MS = 60

export interface Asked {
  readonly what: string
  readonly ms: number
  /** Why it was not answered; absent when it was. */
  readonly fault?: string
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly session?: string
}

/** A tenant that goes about its business: tools over a session of /mcp, REST, a small import, its administrator. */
export class QuietTenant {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  readonly #tenant: Quiet
  #session: string | undefined
  #turn = 0

  constructor(tenant: Quiet) {
    this.#tenant = tenant
  }

  /** Opens the session that is used from now on. */
  async open(): Promise<void> {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'quiet', version: '1' } }
    const { session, status, text } = await this.#rpc('initialize', params)
    if (session === undefined) throw new Error(`The quiet tenant got no session: ${status} ${text}`)
    this.#session = session
    await this.#send('POST', `${this.#tenant.mcpUrl}/mcp`, {
      headers: this.#rpcHeaders(),
      body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    })
  }

  /** Asks one thing after the other for so long. */
  async work(ms: number): Promise<readonly Asked[]> {
    const until = performance.now() + ms
    const asked: Asked[] = []
    while (performance.now() < until) {
      // oxlint-disable-next-line no-await-in-loop
      asked.push(await this.#next())
      // oxlint-disable-next-line no-await-in-loop
      await sleep(PAUSE_MS)
    }
    return asked
  }

  close(): void {
    this.#agent.destroy()
  }

  async #next(): Promise<Asked> {
    const { calls } = this.#tenant
    const call = calls[this.#turn % calls.length] ?? ''
    const mix: readonly (readonly [string, () => Promise<Answer>])[] = [
      ['get_project_context', () => this.#tool('get_project_context', {})],
      ['search_calls', () => this.#tool('search_calls', { limit: 20, sort: 'score_asc' })],
      ['get_call_detail', () => this.#tool('get_call_detail', { session_id: call })],
      ['GET agents', () => this.#get('/api/v1/agents')],
      [
        'query_interactions',
        () =>
          this.#tool('query_interactions', {
            pipeline: [
              { $match: { score: { $gte: 1 + (this.#turn % 97) / 50 } } },
              { $group: { _id: '$agent_name', n: { $sum: 1 } } },
              { $limit: 5 },
            ],
          }),
      ],
      ['GET interaction', () => this.#get(`/api/v1/interactions/${encodeURIComponent(call)}`)],
      ['get_project_summary', () => this.#tool('get_project_summary', {})],
      ['GET interactions', () => this.#get('/api/v1/interactions?limit=50')],
      ['GET agents as administrator', () => this.#get('/api/v1/agents', this.#tenant.adminToken)],
      ['POST interactions', () => this.#import()],
      ['search_guidance', () => this.#tool('search_guidance', { query: 'customer' })],
    ]
    const [what, ask] = mix[this.#turn % mix.length]!
    this.#turn += 1
    const started = performance.now()
    try {
      const { status, text } = await ask()
      const ms = performance.now() - started
      const isAnswer = status === 200 && !text.includes('"isError":true') && !text.includes('"error":')
      return isAnswer ? { what, ms } : { what, ms, fault: `${status} ${text.slice(0, 120)}` }
    } catch (error) {
      return { what, ms: performance.now() - started, fault: error instanceof Error ? error.message : String(error) }
    }
  }

  #import(): Promise<Answer> {
    const body = Array.from({ length: 5 }, (_, i) =>
      JSON.stringify({ session_id: `import-${i}`, agent_name: 'Quinn', created_dt: '2026-03-01T10:00:00Z', score: 4 }),
    ).join('\n')
    return this.#send('POST', `${this.#tenant.apiUrl}/api/v1/interactions`, {
      headers: { 'content-type': 'application/x-ndjson' },
      body,
    })
  }

  #get(path: string, as = this.#tenant.key): Promise<Answer> {
    return this.#send('GET', `${this.#tenant.apiUrl}${path}`, { as, headers: { 'x-project-id': this.#tenant.project } })
  }

  #tool(name: string, args: object): Promise<Answer> {
    return this.#rpc('tools/call', { name, arguments: args })
  }

  #rpc(method: string, params: object): Promise<Answer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#turn, method, params })
    return this.#send('POST', `${this.#tenant.mcpUrl}/mcp`, { headers: this.#rpcHeaders(), body })
  }

  #rpcHeaders(): Record<string, string> {
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session, 'mcp-protocol-version': '2025-11-25' }),
    }
  }

  #send(
    method: string,
    url: string,
    { as = this.#tenant.key, headers = {}, body }: { as?: string; headers?: Record<string, string>; body?: string },
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = {
        agent: this.#agent,
        method,
        headers: { authorization: `Bearer ${as}`, ...headers },
        timeout: ANSWER_MS,
      }
      const sent = request(url, options, response => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.on('error', reject)
        response.on('end', () => {
          const session = response.headers['mcp-session-id']
          resolve({ status: response.statusCode ?? 0, text, ...(typeof session === 'string' ? { session } : {}) })
        })
      })
      sent.on('timeout', () => sent.destroy(new Error(`no answer in ${ANSWER_MS / 1_000} s`)))
      sent.on('error', reject)
      sent.end(body)
    })
  }
}
