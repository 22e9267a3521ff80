import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Heard {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** Fields of a form; those of text alone. */
  readonly form: Readonly<Record<string, string>>
  /** The file of a form, else the body. */
  readonly audio: Buffer
}

/** What the server does with a request: an answer of the API that it came by, or a failure. */
export type Said =
  | { readonly json: object }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | { readonly text: string }
  | { readonly breaks: true }
  | { readonly never: true }

/** One turn of a transcript, in seconds. */
export interface Line {
  readonly speaker: number
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A call that any service might hear. */
export const LINES: readonly Line[] = [
  { speaker: 0, start: 0, end: 3, text: 'Thank you for calling, how can I help you?' },
  { speaker: 1, start: 3.5, end: 6, text: 'I forgot my password.' },
  { speaker: 0, start: 6.5, end: 9, text: 'I have sent you a link, your password is reset.' },
]

/**
 * A transcription service on loopback that speaks three wire formats, as their public documentation describes them: OpenAI's
 * /audio/transcriptions, Deepgram's /listen and AssemblyAI's /upload and /transcript. It hears nothing.
 */
export class TranscriptionServer {
  readonly heard: Heard[] = []
  /** Most requests that were under way at a time. */
  most = 0
  #underWay = 0
  readonly #say: (heard: Heard, count: number) => Said | Promise<Said>
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  private constructor(say: (heard: Heard, count: number) => Said | Promise<Said>) {
    this.#say = say
  }

  static async start(say: (heard: Heard, count: number) => Said | Promise<Said> = usual, port = 0) {
    const server = new TranscriptionServer(say)
    await new Promise<void>(resolve => server.#server.listen(port, '127.0.0.1', resolve))
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#underWay += 1
    this.most = Math.max(this.most, this.#underWay)
    try {
      const heard = await readHeard(request)
      this.heard.push(heard)
      const said = await this.#say(heard, this.heard.length)
      if ('breaks' in said) response.socket?.resetAndDestroy()
      else if ('json' in said) response.setHeader('content-type', 'application/json').end(JSON.stringify(said.json))
      else if ('text' in said) response.end(said.text)
      else if ('status' in said) response.writeHead(said.status, said.headers).end(said.body)
    } catch {
      response.destroy()
    } finally {
      this.#underWay -= 1
    }
  }
}

async function readHeard(request: IncomingMessage): Promise<Heard> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  const body = Buffer.concat(parts)
  const url = new URL(request.url ?? '/', 'http://server')
  const boundary = /boundary=(.*)$/.exec(request.headers['content-type'] ?? '')?.[1]
  const form: Record<string, string> = {}
  let audio = body
  // Bytes as characters, so that the file stays what it is.
  for (const part of boundary === undefined ? [] : body.toString('latin1').split(`--${boundary}`)) {
    const [head = '', ...rest] = part.split('\r\n\r\n')
    const content = rest.join('\r\n\r\n').replace(/\r\n$/, '')
    const name = /name="([^"]*)"/.exec(head)?.[1]
    if (head.includes('filename=')) audio = Buffer.from(content, 'latin1')
    else if (name !== undefined) form[name] = content
  }
  const { method = '', headers } = request
  return { method, path: url.pathname.replace('/v1', ''), query: url.searchParams, headers, body, form, audio }
}

/** What each service answers when all is well. */
export function usual({ method, path, query, form }: Heard): Said {
  if (path === '/audio/transcriptions') {
    return { json: form['response_format'] === 'diarized_json' ? diarized(LINES) : verbose(LINES) }
  }
  if (path === '/listen') return { json: deepgram(LINES, query.has('multichannel')) }
  if (path === '/upload') return { json: { upload_url: 'https://cdn.example.com/upload/1' } }
  if (path === '/transcript')
    return { json: { id: 'tr_1', status: 'queued', audio_url: 'https://cdn.example.com/upload/1' } }
  return method === 'GET' && path === '/transcript/tr_1' ? { json: assemblyai(LINES) } : { status: 404 }
}

export const verbose = (lines: readonly Omit<Line, 'speaker'>[]) => ({
  task: 'transcribe',
  language: 'english',
  duration: 10,
  text: lines.map(({ text }) => text).join(' '),
  segments: lines.map(({ start, end, text }, id) => ({ id, seek: 0, start, end, text: ` ${text}`, tokens: [1] })),
})

const diarized = (lines: readonly Line[]) => ({
  task: 'transcribe',
  duration: 10,
  text: lines.map(({ text }) => text).join(' '),
  segments: lines.map(({ speaker, ...line }, index) => ({
    type: 'transcript.text.segment',
    id: `seg_${index}`,
    speaker: 'AB'[speaker],
    ...line,
  })),
})

const deepgram = (lines: readonly Line[], byChannel: boolean) => ({
  metadata: { request_id: 'r-1', created: '2026-03-02T10:00:00Z', duration: 10, channels: byChannel ? 2 : 1 },
  results: {
    channels: Array.from({ length: byChannel ? 2 : 1 }, () => ({
      detected_language: 'en',
      alternatives: [{ words: [] }],
    })),
    utterances: lines.map(({ speaker, start, end, text }) => ({
      start,
      end,
      transcript: text,
      ...(byChannel ? { channel: speaker } : { speaker, channel: 0 }),
    })),
  },
})

const assemblyai = (lines: readonly Line[]) => ({
  id: 'tr_1',
  status: 'completed',
  audio_url: 'https://cdn.example.com/upload/1',
  language_code: 'en_us',
  audio_duration: 10,
  words: [],
  utterances: lines.map(({ speaker, start, end, text }) => ({
    speaker: 'AB'[speaker],
    start: start * 1_000,
    end: end * 1_000,
    text,
  })),
})
