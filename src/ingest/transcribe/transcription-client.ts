import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { echo } from '../../base/text.js'
import type { EndpointRequest } from '../../events/net/ask-endpoint.js'
import { ModelFault } from '../../evaluation/model/model-fault.js'
import { untilAnswered } from '../../evaluation/model/until-answered.js'
import { askService } from './ask-service.js'
import { splitChannels } from './recording-bytes.js'

/** Between two looks whether a transcript is done. */
const USUAL_POLL_MS = 3_000

export interface TranscriptionEndpoint {
  readonly kind: 'openai' | 'deepgram' | 'assemblyai'
  /** Base address, to which the API's paths are added. */
  readonly url: string
  readonly model: string
  readonly apiKey: string | undefined
  /** Of one recording. */
  readonly timeoutMs: number
  readonly attempts: number
  readonly firstRetryMs: number
  readonly pollMs?: number
}

export interface Recording {
  /** Its file's name, without folders. */
  readonly name: string
  readonly mediaType: string
  readonly bytes: Buffer
}

export interface TranscribeOptions {
  /** Each channel is one side of the call; else the service tells speakers apart. */
  readonly byChannel: boolean
  /** ISO 639-1; told by the service where absent. */
  readonly language: string | undefined
}

export interface TranscriptionClient {
  readonly endpoint: Pick<TranscriptionEndpoint, 'kind' | 'model'>
  /** The transcript as JSON that `import` reads. @throws ModelFault where there is none, or the signal's reason */
  transcribe(recording: Recording, options: TranscribeOptions, signal: AbortSignal): Promise<object>
}

/** Asks the service, again where that may help. */
type Ask = (path: string, request: Pick<EndpointRequest, 'headers' | 'body'>) => Promise<unknown>
type Transcribe = (ask: Ask, recording: Recording, options: TranscribeOptions, signal: AbortSignal) => Promise<object>

/** A client of a transcription service, by the API that it speaks. */
export function createTranscriptionClient(endpoint: TranscriptionEndpoint): TranscriptionClient {
  const { apiKey, timeoutMs } = endpoint
  const base = endpoint.url.replace(/\/+$/, '')
  const transcribe = transcribers[endpoint.kind](endpoint)
  return {
    endpoint,
    transcribe: async (recording, options, signal) => {
      const ask: Ask = (path, { headers, body }) => {
        const method = body === undefined ? 'GET' : 'POST'
        const request: EndpointRequest = { method, url: new URL(`${base}${path}`), headers, ...(body && { body }) }
        return untilAnswered(() => askService(request, { timeoutMs, apiKey, signal }), endpoint, signal)
      }
      return await transcribe(ask, recording, options, signal)
    },
  }
}

const transcribers: Readonly<Record<TranscriptionEndpoint['kind'], (endpoint: TranscriptionEndpoint) => Transcribe>> = {
  openai: openaiTranscriber,
  deepgram: deepgramTranscriber,
  assemblyai: assemblyaiTranscriber,
}

const NO_SPEAKERS =
  'has a transcript that names no speakers: use a model that tells them apart (diarization), or --channels where each side of the call has a channel of its own'

/** What an answer has to be. @throws ModelFault */
function parse<T>(schema: z.ZodType<T>, answer: unknown, wanted: string): T {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  const place = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new ModelFault(
    `The transcription service gave an answer without ${wanted}${place === '' ? '' : ` (at ${echo(place)})`}: check EARSHOT_TRANSCRIPTION_KIND and EARSHOT_TRANSCRIPTION_MODEL`,
  )
}

function saysSomething(texts: readonly unknown[]): void {
  if (texts.length === 0) throw new ModelFault('has nothing that the transcription service could hear')
}

const time = z.number().min(0)
const openaiAnswer = z.looseObject({
  // Some say it by its name in English, which is no language of a call record: what is said tells it then.
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-|$)/)
    .optional()
    .catch(undefined),
  segments: z.array(z.looseObject({ start: time, end: time, text: z.string(), speaker: z.string().nullish() })),
})

/** https://platform.openai.com/docs/api-reference/audio/createTranscription, as local servers speak it too. */
function openaiTranscriber({ model, apiKey }: TranscriptionEndpoint): Transcribe {
  const one = async (ask: Ask, { name, mediaType, bytes }: Recording, format: string, language: string | undefined) => {
    const form = new FormData()
    form.set('file', new File([Uint8Array.from(bytes)], name, { type: mediaType }))
    form.set('model', model)
    form.set('response_format', format)
    // It is required for what is longer than 30 s.
    if (format === 'diarized_json') form.set('chunking_strategy', 'auto')
    if (language !== undefined) form.set('language', language)
    const body = new Response(form)
    const headers = {
      'content-type': body.headers.get('content-type') ?? '',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    }
    const answer = await ask('/audio/transcriptions', { headers, body: new Uint8Array(await body.arrayBuffer()) })
    return parse(openaiAnswer, answer, 'segments')
  }
  return async (ask, recording, { byChannel, language }) => {
    if (!byChannel) {
      const answer = await one(ask, recording, /diari[sz]e/i.test(model) ? 'diarized_json' : 'verbose_json', language)
      saysSomething(answer.segments)
      if (!answer.segments.some(({ speaker, words }) => (speaker ?? '') !== '' || hasSpeaker(words))) {
        throw new ModelFault(NO_SPEAKERS)
      }
      return answer
    }
    if (recording.mediaType !== 'audio/wav') {
      throw new ModelFault(
        'is no WAV file, and only those are split by channel for this service: convert it, or use one that takes channels (deepgram, assemblyai)',
      )
    }
    const segments: z.output<typeof openaiAnswer>['segments'] = []
    let heard: string | undefined
    for (const [channel, bytes] of splitChannels(recording.bytes).entries()) {
      const answer = await one(ask, { ...recording, bytes }, 'verbose_json', language)
      heard ??= answer.language
      segments.push(
        ...answer.segments.map(({ start, end, text }) => ({ start, end, text, speaker: `channel ${channel}` })),
      )
    }
    saysSomething(segments)
    return { ...(heard !== undefined && { language: heard }), segments: segments.toSorted((a, b) => a.start - b.start) }
  }
}

const words = z.array(z.looseObject({ speaker: z.string() }))
const hasSpeaker = (given: unknown): boolean =>
  Array.isArray(given) && given.some(word => words.safeParse([word]).success)

const deepgramAnswer = z.looseObject({
  metadata: z.looseObject({}),
  results: z.looseObject({
    channels: z.array(z.unknown()).min(1),
    utterances: z.array(z.looseObject({ speaker: z.number().nullish() })),
  }),
})

/** https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded */
function deepgramTranscriber({ model, apiKey = '' }: TranscriptionEndpoint): Transcribe {
  return async (ask, { mediaType, bytes }, { byChannel, language }) => {
    const query = new URLSearchParams({
      model,
      utterances: 'true',
      smart_format: 'true',
      [byChannel ? 'multichannel' : 'diarize']: 'true',
      ...(language === undefined ? { detect_language: 'true' } : { language }),
    })
    const headers = { authorization: `Token ${apiKey}`, 'content-type': mediaType }
    const answer = parse(
      deepgramAnswer,
      await ask(`/listen?${query.toString()}`, { headers, body: bytes }),
      'results.channels and results.utterances',
    )
    const { channels, utterances } = answer.results
    saysSomething(utterances)
    if (byChannel && channels.length < 2) throw new ModelFault('has one channel only: leave out --channels for it')
    if (!byChannel && !utterances.some(({ speaker }) => typeof speaker === 'number')) throw new ModelFault(NO_SPEAKERS)
    return answer
  }
}

const uploaded = z.object({ upload_url: z.string() })
const transcript = z.looseObject({
  // It goes into an address.
  id: z.string().regex(/^[\w-]{1,100}$/),
  status: z.enum(['queued', 'processing', 'completed', 'error']),
  error: z.string().nullish(),
  utterances: z.array(z.unknown()).nullish(),
})

/** @throws the signal's reason */
async function untilPoll(pollMs: number, signal: AbortSignal): Promise<void> {
  await pause(pollMs, undefined, { signal }).catch(() => undefined)
  signal.throwIfAborted()
}

/** https://www.assemblyai.com/docs/api-reference/transcripts/submit */
function assemblyaiTranscriber({
  model,
  apiKey = '',
  timeoutMs,
  pollMs = USUAL_POLL_MS,
}: TranscriptionEndpoint): Transcribe {
  const headers = { authorization: apiKey }
  return async (ask, { bytes }, { byChannel, language }, signal) => {
    const began = performance.now()
    const binary = { ...headers, 'content-type': 'application/octet-stream' }
    const { upload_url: audio_url } = parse(
      uploaded,
      await ask('/upload', { headers: binary, body: bytes }),
      'upload_url',
    )
    const wanted = {
      audio_url,
      speech_models: [model],
      [byChannel ? 'multichannel' : 'speaker_labels']: true,
      ...(language === undefined ? { language_detection: true } : { language_code: language }),
    }
    const request = {
      headers: { ...headers, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(wanted)),
    }
    let answer = parse(transcript, await ask('/transcript', request), 'id and status')
    while (answer.status === 'queued' || answer.status === 'processing') {
      if (performance.now() - began > timeoutMs) {
        throw new ModelFault(`The transcription service was not done within ${timeoutMs / 1_000} s`)
      }
      await untilPoll(pollMs, signal)
      answer = parse(transcript, await ask(`/transcript/${answer.id}`, { headers }), 'id and status')
    }
    if (answer.status === 'error') {
      throw new ModelFault(`could not be transcribed: ${echo(answer.error ?? 'the service does not say why')}`)
    }
    saysSomething(answer.utterances ?? [])
    return answer
  }
}
