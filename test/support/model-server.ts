import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A turn as the prompt shows it. */
interface Shown {
  readonly turn: number
  readonly actor: string
  readonly text: string
}

/** What a model was sent. */
export interface Asked {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** The body, as JSON. */
  readonly body: Readonly<Record<string, unknown>>
  readonly system: string
  readonly user: string
  /** The turns between the lines of the prompt. */
  readonly turns: readonly Shown[]
}

/** What the server does with a request: the wire format is that of the API it came by. */
export type Reply =
  /** A whole answer, as the schema asks for it. */
  | { readonly answer: object; readonly cache?: { readonly read: number; readonly written: number } }
  /** An answer of any text. */
  | { readonly text: string }
  /** Cut off at the most tokens. */
  | { readonly cut: string }
  | { readonly declined: string }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** The connection breaks: before anything is said, or in the middle. */
  | { readonly breaks: 'at once' | 'within the body' }

type Brain = (asked: Asked, count: number) => Reply | Promise<Reply>

const USAGE = { input: 1_000, output: 100 }

/** A language model's endpoint on loopback: OpenAI's chat completions and Anthropic's messages, with an answer of the test's own. */
export class ModelServer {
  readonly asked: Asked[] = []
  #underWay = 0
  /** Most requests that were under way at a time. */
  most = 0
  readonly #awaited: { readonly count: number; readonly resolve: () => void }[] = []
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  readonly #brain: Brain

  private constructor(brain: Brain) {
    this.#brain = brain
  }

  static async start(brain: Brain = asked => ({ answer: plainAnswer(asked) }), port = 0): Promise<ModelServer> {
    const server = new ModelServer(brain)
    await new Promise<void>(resolve => server.#server.listen(port, '127.0.0.1', resolve))
    return server
  }

  /** Base address of either API. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  /** Resolves as soon as so many requests are under way at a time, or were. */
  async untilUnderWay(count: number): Promise<void> {
    if (this.most >= count) return
    await new Promise<void>(resolve => this.#awaited.push({ count, resolve }))
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#underWay += 1
    this.most = Math.max(this.most, this.#underWay)
    for (const { count, resolve } of this.#awaited) if (this.most >= count) resolve()
    try {
      let text = ''
      for await (const part of request.setEncoding('utf8')) text += String(part)
      const asked = {
        ...readAsked(request.url ?? '', JSON.parse(text) as Record<string, unknown>),
        headers: request.headers,
      }
      this.asked.push(asked)
      send(asked, await this.#brain(asked, this.asked.length), response)
    } catch {
      response.destroy()
    } finally {
      this.#underWay -= 1
    }
  }
}

function send(asked: Asked, reply: Reply, response: ServerResponse): void {
  if ('breaks' in reply) {
    if (reply.breaks === 'at once') response.socket?.resetAndDestroy()
    else {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
      response.write('{"id": "half')
      setTimeout(() => response.socket?.resetAndDestroy(), 20)
    }
  } else if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.body ?? errorOf(asked, `status ${reply.status}`))
  } else {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isAnthropic(asked) ? messageOf(asked, reply) : completionOf(asked, reply)))
  }
}

export type Said = Exclude<Reply, { status: number } | { breaks: string }>

/** As https://platform.openai.com/docs/api-reference/chat describes it. */
export function completionOf({ body }: Pick<Asked, 'body'>, reply: Said): object {
  const declined = 'declined' in reply
  const content = declined
    ? null
    : 'answer' in reply
      ? JSON.stringify(reply.answer)
      : 'cut' in reply
        ? reply.cut
        : reply.text
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: body['model'],
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: declined ? reply.declined : null },
        logprobs: null,
        finish_reason: 'cut' in reply ? 'length' : 'stop',
      },
    ],
    usage: {
      prompt_tokens: USAGE.input,
      completion_tokens: USAGE.output,
      total_tokens: USAGE.input + USAGE.output,
      ...('cache' in reply && { prompt_tokens_details: { cached_tokens: reply.cache?.read } }),
    },
  }
}

/** As https://docs.anthropic.com/en/api/messages describes it; by a tool where one is forced. */
export function messageOf({ body }: Pick<Asked, 'body'>, reply: Said): object {
  // `any` of one tool forces it.
  const [tool] = (body['tools'] ?? []) as readonly { readonly name: string }[]
  const text = (said: string) => ({ type: 'text', text: said })
  const content =
    'answer' in reply
      ? tool === undefined
        ? [text(JSON.stringify(reply.answer))]
        : [{ type: 'tool_use', id: 'toolu_1', name: tool.name, input: reply.answer }]
      : [text('declined' in reply ? reply.declined : 'cut' in reply ? reply.cut : reply.text)]
  const ending =
    'cut' in reply
      ? 'max_tokens'
      : 'declined' in reply
        ? 'refusal'
        : content[0]?.type === 'tool_use'
          ? 'tool_use'
          : 'end_turn'
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: body['model'],
    content,
    stop_reason: ending,
    stop_sequence: null,
    usage: usageOf(reply),
  }
}

/** Tokens of the prompt cache are counted apart. */
function usageOf(reply: Said): object {
  const { read, written } = ('cache' in reply ? reply.cache : undefined) ?? { read: 0, written: 0 }
  return {
    input_tokens: USAGE.input - read - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: USAGE.output,
  }
}

function errorOf(asked: Asked, message: string): string {
  const error = { type: 'api_error', message, param: null, code: null }
  return JSON.stringify(isAnthropic(asked) ? { type: 'error', error } : { error })
}

function isAnthropic({ path }: Pick<Asked, 'path'>): boolean {
  return path.endsWith('/messages')
}

interface Message {
  readonly role: string
  readonly content: string | readonly { readonly text: string }[]
}

export function readAsked(path: string, body: Record<string, unknown>): Asked {
  const messages = (body['messages'] ?? []) as readonly Message[]
  const own = body['system'] as Message['content'] | undefined
  const system = textOf(own ?? messages.find(({ role }) => role === 'system')?.content)
  const user = textOf(messages.findLast(({ role }) => role === 'user')?.content)
  const lines = user.split('\n')
  const shown = lines.slice(1, lines.lastIndexOf(lines[0] ?? '')).map(line => JSON.parse(line) as object)
  const turns = shown.filter((one): one is Shown => 'turn' in one)
  return { path, headers: {}, body, system, user, turns }
}

function textOf(content: Message['content'] | undefined): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('')
}

/** A model of few words: who says what, by a word or two of it. */
const WORDS: Readonly<Record<string, readonly [string, RegExp]>> = {
  'sig.greeting_given': ['agent', /\b(?:hello|thank you for calling|good morning)\b/i],
  'sig.help_offered': ['agent', /\bhow (?:can|may) i help\b/i],
  'sig.agent_named': ['agent', /\bmy name is \w+/i],
  'sig.willingness_shown': ['agent', /\b(?:sure|happy to help)\b/i],
  'sig.resolution_stated': ['agent', /\b(?:is|has been) (?:reset|paid|sent|done)\b/i],
  'sig.customer_confirms': ['customer', /\b(?:great|perfect|thank you)\b/i],
  'sig.further_help_offered': ['agent', /\banything else\b/i],
  'sig.closing_courtesy': ['agent', /\bhave a (?:good|great|nice) day\b/i],
  'sig.agent_rude': ['agent', /\b(?:idiot|stupid)\b/i],
  'sig.customer_frustrated': ['customer', /\b(?:ridiculous|furious)\b/i],
}

/** An answer such as a model gives: what it finds of `WORDS`, quoted, and everything else absent. */
export function plainAnswer({ system, turns }: Pick<Asked, 'system' | 'turns'>): object {
  const keys = [...system.matchAll(/^- (sig\.\S+) /gm)].map(([, key]) => key!)
  const signals = keys.map(key => {
    const [actor, words] = WORDS[key] ?? []
    const found = words === undefined ? undefined : turns.find(turn => turn.actor === actor && words.test(turn.text))
    return found === undefined
      ? { key, state: 'absent', evidence: [] }
      : { key, state: 'present', evidence: [{ turn: found.turn, quote: words!.exec(found.text)![0] }] }
  })
  const said = turns.find(({ actor, text }) => actor === 'customer' && /password/i.test(text))
  const driver =
    said === undefined
      ? { name: 'none', evidence: [] }
      : { name: 'reset password', evidence: [{ turn: said.turn, quote: 'password' }] }
  return { signals, driver, turns_that_instruct: [] }
}
