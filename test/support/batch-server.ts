import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Asked, completionOf, messageOf, plainAnswer, readAsked, type Said } from './model-server.js'

/** What comes of a request in a batch. */
export type ItemReply =
  | Said
  /** The provider did not get to it in time. */
  | { readonly expired: true }
  /** The model's API refused it. */
  | { readonly refused: number; readonly message: string }
  /** A line that is none. */
  | { readonly line: string }
  /** No line at all. */
  | { readonly lost: true }

/** A request that a batch holds. */
interface Item {
  readonly id: string
  readonly asked: Asked
}

interface Batch {
  readonly id: string
  readonly items: readonly Item[]
  readonly createdAt: number
  readonly fileId: string | undefined
  state: 'open' | 'ended' | 'cancelled' | 'refused'
  files: { output?: string; error?: string }
}

/** What goes wrong with a request to the API, once. */
interface Trouble {
  /** Such as `POST /batches`, the beginning of it. */
  readonly at: string
  readonly status?: number
  readonly headers?: Record<string, string>
  /** It is done, and the answer is lost on the way. */
  readonly lost?: true
}

const CUSTOM_ID = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * The batches of OpenAI and Anthropic on loopback, as https://platform.openai.com/docs/api-reference/batch and
 * https://docs.anthropic.com/en/api/creating-message-batches describe them: files, batches, results in another order than
 * they were asked in, files of errors, and cancelling.
 */
export class BatchServer {
  /** Method and path of each request, in order. */
  readonly calls: string[] = []
  readonly headers: IncomingMessage['headers'][] = []
  readonly batches = new Map<string, Batch>()
  readonly files = new Map<string, string>()
  readonly troubles: Trouble[] = []
  /** Batches end when they are looked at for so many times. */
  looksToEnd = 2
  readonly #looks = new Map<string, number>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  #brain: (asked: Asked) => ItemReply
  #made = 0

  private constructor(brain: (asked: Asked) => ItemReply) {
    this.#brain = brain
  }

  static async start(
    brain: (asked: Asked) => ItemReply = asked => ({ answer: plainAnswer(asked) }),
  ): Promise<BatchServer> {
    const server = new BatchServer(brain)
    await new Promise<void>(resolve => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  /** Every request that a batch held. */
  get asked(): readonly Asked[] {
    return [...this.batches.values()].flatMap(({ items }) => items.map(({ asked }) => asked))
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const path = (request.url ?? '').replace(/^\/v1/, '')
    const call = `${request.method} ${path}`
    this.calls.push(call)
    this.headers.push(request.headers)
    const at = this.troubles.findIndex(trouble => call.startsWith(trouble.at))
    const [trouble] = at < 0 ? [] : this.troubles.splice(at, 1)
    const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      if (trouble?.lost === true) return response.destroy()
      return response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    if (trouble?.status !== undefined) {
      json(trouble.status, { error: { message: `status ${trouble.status}` } }, trouble.headers)
      return
    }
    try {
      const body = Buffer.concat(parts)
      const [status, answer] = path.startsWith('/messages')
        ? this.#anthropic(call, request, body)
        : this.#openAi(call, request, body)
      json(status, answer)
    } catch (error) {
      json(400, { error: { message: error instanceof Error ? error.message : 'bad request' } })
    }
  }

  #openAi(call: string, request: IncomingMessage, body: Buffer): [number, unknown] {
    if (call === 'POST /files') {
      const [, boundary = ''] = /boundary=(\S+)/.exec(request.headers['content-type'] ?? '') ?? []
      const parts = body.toString().split(`--${boundary}`)
      const [purpose, file] = ['purpose', 'file'].map(name =>
        parts
          .find(part => part.includes(`name="${name}"`))
          ?.replace(/^[^]*?\r\n\r\n/, '')
          .replace(/\r\n$/, ''),
      )
      if (purpose !== 'batch' || file === undefined) throw new Error('purpose or file is missing')
      const id = `file-${(this.#made += 1)}`
      this.files.set(id, file)
      return [200, { id, object: 'file', purpose, bytes: file.length }]
    }
    const [, fileId, content] = /^(?:GET|DELETE) \/files\/([^/]+)(\/content)?$/.exec(call) ?? []
    if (fileId !== undefined) {
      const text = this.files.get(fileId)
      if (text === undefined) return [404, { error: { message: 'no such file' } }]
      if (content !== undefined) return [200, text]
      this.files.delete(fileId)
      return [200, { id: fileId, object: 'file', deleted: true }]
    }
    if (call === 'POST /batches') {
      const {
        input_file_id: from,
        endpoint,
        completion_window: within,
      } = JSON.parse(body.toString()) as Record<string, string>
      const text = this.files.get(from ?? '')
      if (text === undefined || endpoint !== '/v1/chat/completions' || within !== '24h') throw new Error('not so')
      const items = text
        .trim()
        .split('\n')
        .map(line => {
          const one = JSON.parse(line) as { custom_id: string; method: string; url: string; body: Asked['body'] }
          if (one.method !== 'POST' || one.url !== endpoint) throw new Error('a line is not so')
          return { id: one.custom_id, asked: readAsked('/chat/completions', one.body) }
        })
      return [200, this.#asOpenAi(this.#make(items, from))]
    }
    if (call.startsWith('GET /batches?')) {
      return [200, { object: 'list', data: this.#newestFirst().map(one => this.#asOpenAi(one)), has_more: false }]
    }
    const [, id = '', cancel] = /^(?:GET|POST) \/batches\/([^/]+)(\/cancel)?$/.exec(call) ?? []
    const batch = this.batches.get(id)
    if (batch === undefined) return [404, { error: { message: 'no such batch' } }]
    if (cancel !== undefined) this.#cancel(batch)
    else this.#look(batch)
    return [200, this.#asOpenAi(batch)]
  }

  #anthropic(call: string, request: IncomingMessage, body: Buffer): [number, unknown] {
    if (request.headers['anthropic-version'] === undefined) throw new Error('anthropic-version is missing')
    if (call === 'POST /messages/batches') {
      const { requests } = JSON.parse(body.toString()) as {
        requests: readonly { custom_id: string; params: Asked['body'] }[]
      }
      const items = requests.map(one => ({ id: one.custom_id, asked: readAsked('/messages', one.params) }))
      return [200, this.#asAnthropic(this.#make(items, undefined))]
    }
    if (call.startsWith('GET /messages/batches?')) {
      const data = this.#newestFirst().map(one => this.#asAnthropic(one))
      return [200, { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }]
    }
    const [, id = '', of] = /^(?:GET|POST|DELETE) \/messages\/batches\/([^/]+)(?:\/(\w+))?$/.exec(call) ?? []
    const batch = this.batches.get(id)
    if (batch === undefined)
      return [404, { type: 'error', error: { type: 'not_found_error', message: 'no such batch' } }]
    if (call.startsWith('DELETE')) {
      this.batches.delete(id)
      this.deleted.push(id)
      return [200, { id, type: 'message_batch_deleted' }]
    }
    if (of === 'cancel') this.#cancel(batch)
    if (of === 'results')
      return [
        200,
        this.#lines(batch)
          .map(one => one.line)
          .join('\n'),
      ]
    if (of === undefined) this.#look(batch)
    return [200, this.#asAnthropic(batch)]
  }

  /** Batches of Anthropic's that were deleted. */
  readonly deleted: string[] = []

  #make(items: readonly Item[], fileId: string | undefined): Batch {
    if (items.some(({ id }) => !CUSTOM_ID.test(id)) || new Set(items.map(({ id }) => id)).size < items.length) {
      throw new Error('custom_id must be unique, 1-64 of [a-zA-Z0-9_-]')
    }
    const id = `batch_${randomUUID()}`
    const batch: Batch = { id, items, fileId, createdAt: Date.now(), state: 'open', files: {} }
    this.batches.set(id, batch)
    return batch
  }

  #newestFirst(): Batch[] {
    return [...this.batches.values()].toReversed()
  }

  #look(batch: Batch): void {
    const looks = (this.#looks.get(batch.id) ?? 0) + 1
    this.#looks.set(batch.id, looks)
    if (batch.state === 'open' && looks >= this.looksToEnd) this.#end(batch, 'ended')
  }

  /** Half of it was done. */
  #cancel(batch: Batch): void {
    if (batch.state === 'open') this.#end(batch, 'cancelled')
  }

  #end(batch: Batch, state: 'ended' | 'cancelled'): void {
    batch.state = state
    if (batch.fileId === undefined) return
    for (const kind of ['output', 'error'] as const) {
      const lines = this.#lines(batch).filter(one => one.isError === (kind === 'error'))
      if (lines.length === 0) continue
      const id = `file-${kind}-${batch.id}`
      this.files.set(id, lines.map(({ line }) => `${line}\n`).join(''))
      batch.files[kind] = id
    }
  }

  /** Results, the last one first. */
  #lines(batch: Batch): { line: string; isError: boolean }[] {
    return batch.items.toReversed().flatMap(({ id, asked }, place) => {
      const reply: ItemReply = batch.state === 'cancelled' && place % 2 === 1 ? { expired: true } : this.#brain(asked)
      if ('lost' in reply) return []
      if ('line' in reply) return [{ line: reply.line, isError: false }]
      const isError = 'expired' in reply || 'refused' in reply
      const made =
        batch.fileId === undefined ? anthropicLine(asked, reply, batch.state) : openAiLine(asked, reply, batch.state)
      return [{ line: JSON.stringify({ ...made, custom_id: id }), isError }]
    })
  }

  #asOpenAi({ id, fileId, items, state, files, createdAt }: Batch): object {
    const ended = state !== 'open'
    return {
      id,
      object: 'batch',
      endpoint: '/v1/chat/completions',
      errors:
        state === 'refused'
          ? { object: 'list', data: [{ code: 'token_limit_exceeded', message: 'Too many tokens' }] }
          : null,
      input_file_id: fileId,
      completion_window: '24h',
      status: { open: 'in_progress', ended: 'completed', cancelled: 'cancelled', refused: 'failed' }[state],
      output_file_id: files.output ?? null,
      error_file_id: files.error ?? null,
      created_at: Math.floor(createdAt / 1_000),
      request_counts: { total: items.length, completed: ended ? items.length : 0, failed: 0 },
      metadata: null,
    }
  }

  #asAnthropic({ id, items, state, createdAt }: Batch) {
    const ended = state !== 'open'
    return {
      id,
      type: 'message_batch',
      processing_status: ended ? 'ended' : 'in_progress',
      request_counts: {
        processing: ended ? 0 : items.length,
        succeeded: ended ? items.length : 0,
        errored: 0,
        canceled: 0,
        expired: 0,
      },
      created_at: new Date(createdAt).toISOString(),
      // Of another host: whoever follows it gives the key away.
      results_url: ended ? 'http://198.51.100.7/steal' : null,
    }
  }
}

type Told = Exclude<ItemReply, { lost: true } | { line: string }>

function openAiLine(asked: Asked, reply: Told, state: Batch['state']): object {
  const id = 'batch_req_1'
  if ('expired' in reply) {
    const code = state === 'cancelled' ? 'batch_cancelled' : 'batch_expired'
    return { id, response: null, error: { code, message: 'This request could not be executed.' } }
  }
  if ('refused' in reply) {
    const body = { error: { message: reply.message, type: 'invalid_request_error' } }
    return { id, response: { status_code: reply.refused, request_id: 'r', body }, error: null }
  }
  return { id, response: { status_code: 200, request_id: 'r', body: completionOf(asked, reply) }, error: null }
}

function anthropicLine(asked: Asked, reply: Told, state: Batch['state']): object {
  if ('expired' in reply) return { result: { type: state === 'cancelled' ? 'canceled' : 'expired' } }
  if ('refused' in reply) {
    const error = { type: 'error', error: { type: 'invalid_request_error', message: reply.message } }
    return { result: { type: 'errored', error } }
  }
  return { result: { type: 'succeeded', message: messageOf(asked, reply) } }
}
