import { describe, expect, it } from 'vitest'
import { createModelClient } from '../../../src/evaluation/model/model-client.js'
import type { ModelEndpoint } from '../../../src/evaluation/model/model-endpoint.js'
import { ModelFault } from '../../../src/evaluation/model/model-fault.js'
import { ModelServer, type Reply } from '../../support/model-server.js'
import { aServer, endpoint } from './support.js'

const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false }
const request = { system: 'You read.', user: '=====\n=====', schema }
const never = new AbortController().signal

const kinds = [
  ['openai', { kind: 'openai', name: 'gpt-4o-mini' }],
  ['anthropic, by a forced tool', { kind: 'anthropic', name: 'claude-3-haiku-20240307' }],
  ['anthropic, by its output format', { kind: 'anthropic', name: 'claude-sonnet-4-5' }],
] as const satisfies readonly (readonly [string, Partial<ModelEndpoint>])[]

async function ask(server: Pick<ModelServer, 'url'>, more: Partial<ModelEndpoint> = {}, signal = never) {
  return await createModelClient(endpoint(server, more)).ask(request, signal)
}

/** The server gives these replies in turn, and the last one from then on. */
const replies = (...given: Reply[]) => aServer((_, count) => given[Math.min(count, given.length) - 1]!)

describe.each(kinds)('a client of %s', (_, more) => {
  it('asks for the schema, and reads the answer and what it used', async () => {
    const server = await replies({ answer: { a: 1 } })
    const reply = await ask(server, more)
    expect(JSON.parse(reply.text)).toEqual({ a: 1 })
    expect(reply).toMatchObject({ ending: 'complete', inputTokens: 1_000, outputTokens: 100 })
    const [asked] = server.asked
    expect(asked).toMatchObject({ system: 'You read.', body: { model: more.name, temperature: 0 } })
    expect(JSON.stringify(asked!.body)).toContain('"required":["a"]')
  })

  it('reads what the prompt cache had, among all tokens', async () => {
    const { kind } = more
    const server = await replies({ answer: { a: 1 }, cache: { read: 700, written: kind === 'anthropic' ? 200 : 0 } })
    expect(await ask(server, more)).toMatchObject({
      inputTokens: 1_000,
      cacheRead: 700,
      cacheWritten: kind === 'anthropic' ? 200 : 0,
    })
    const mark = '"cache_control":{"type":"ephemeral"}'
    expect(JSON.stringify(server.asked[0]!.body['system'] ?? '').includes(mark)).toBe(kind === 'anthropic')
    expect(JSON.stringify(server.asked[0]!.body).includes('ache')).toBe(kind === 'anthropic')
  })

  it.each([
    ['text that is no JSON', { text: 'I think that' }, 'complete'],
    ['an answer cut off', { cut: '{"a": ' }, 'cut'],
    ['a refusal', { declined: 'I can’t help with that.' }, 'declined'],
  ] as const)('tells %s apart', async (_, reply, ending) => {
    expect(await ask(await replies(reply), more)).toMatchObject({ ending })
  })

  it.each([
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '0' } }],
    ['500', { status: 500 }],
    ['503 without a body', { status: 503, body: '' }],
    ['529', { status: 529 }],
    ['a connection that breaks', { breaks: 'at once' }],
    ['a connection that breaks in the middle of the answer', { breaks: 'within the body' }],
    ['an answer that is no JSON', { status: 200, body: '<html>' }],
    ['an answer of another form', { status: 200, body: '{"hello": []}' }],
  ] as const)('tries again after %s', async (_, reply) => {
    const server = await replies(reply, { answer: { a: 2 } })
    expect(JSON.parse((await ask(server, more)).text)).toEqual({ a: 2 })
    expect(server.asked).toHaveLength(2)
  })

  it('tries again when an attempt takes too long', async () => {
    const server = await aServer((_, count) => (count === 1 ? new Promise(() => undefined) : { answer: { a: 3 } }))
    // The second attempt has the same time, also on a machine that is busy.
    expect(JSON.parse((await ask(server, { ...more, timeoutMs: 1_500 })).text)).toEqual({ a: 3 })
    expect(server.asked).toHaveLength(2)
  })

  it.each([
    ['401', { status: 401 }, 'The model’s endpoint refuses the key (401): check EARSHOT_MODEL_API_KEY', true],
    ['404', { status: 404 }, /knows no such address or model \(404\)/, true],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, /redirects to another address/, true],
    ['429 for an hour', { status: 429, headers: { 'retry-after': '3600' } }, /left alone for 3600 s \(429\)/, true],
    ['400', { status: 400 }, 'The model’s endpoint refuses the request (400): status 400', false],
  ] as const)('does not try again after %s', async (_, reply, message, final) => {
    const server = await replies(reply)
    await expect(ask(server, more)).rejects.toThrow(message)
    await expect(ask(server, more)).rejects.toMatchObject({ final })
    expect(server.asked).toHaveLength(2)
  })
})

describe('a client', () => {
  it('waits as long as Retry-After says, in seconds or until a date', async () => {
    const server = await replies(
      { status: 429, headers: { 'retry-after': '1' } },
      { status: 503, headers: { 'retry-after': new Date(Date.now() + 2_500).toUTCString() } },
      { answer: { a: 1 } },
    )
    const began = performance.now()
    await ask(server, { attempts: 3 })
    expect(performance.now() - began).toBeGreaterThan(1_000)
  })

  it('gives up after the last attempt', async () => {
    const server = await replies({ status: 500 })
    await expect(ask(server, { attempts: 3 })).rejects.toThrow('The model’s endpoint failed (500)')
    expect(server.asked).toHaveLength(3)
  })

  it('ends at once when it is told to, also between two attempts', async () => {
    const server = await replies({ status: 429, headers: { 'retry-after': '60' } })
    const abort = new AbortController()
    const asking = ask(server, {}, abort.signal)
    setTimeout(() => abort.abort(new Error('enough')), 100)
    await expect(asking).rejects.toThrow('enough')
  })

  it('says that nothing answers', async () => {
    const server = await ModelServer.start()
    const { url } = server
    server.stop()
    await expect(ask({ url })).rejects.toThrow("The model’s endpoint can't be reached, or broke off (ECONNREFUSED)")
  })

  it('reads no more than 4 MiB', async () => {
    const server = await replies({ status: 200, body: `"${'x'.repeat(5 * 1024 * 1024)}"` })
    await expect(ask(server)).rejects.toThrow('more than 4 MiB')
  })

  it('sends the key in its header only, and no error holds it or what was sent', async () => {
    const body = JSON.stringify({ error: { message: 'no: sk-very-secret\u202e is wrong' } })
    const server = await replies({ status: 400, body })
    const error = await ask(server).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ModelFault)
    expect(`${JSON.stringify(error)} ${(error as Error).stack}`).not.toMatch(/sk-very-secret|You read/)
    expect((error as Error).message).toContain('no: [key] is wrong')
    expect((error as Error).cause).toBeUndefined()
    expect(server.asked[0]!.headers.authorization).toBe('Bearer sk-very-secret')
    expect(JSON.stringify(server.asked[0]!.body)).not.toContain('sk-very-secret')
  })

  it('looks for no key in the environment', async () => {
    process.env['ANTHROPIC_API_KEY'] = 'sk-from-elsewhere'
    try {
      const server = await replies({ answer: {} })
      await ask(server, { kind: 'anthropic', apiKey: undefined })
      expect(JSON.stringify(server.asked[0]!.headers)).not.toContain('sk-from-elsewhere')
    } finally {
      delete process.env['ANTHROPIC_API_KEY']
    }
  })

  it('sends a seed with the temperature, or neither; a schema, or only the wish for JSON', async () => {
    const server = await replies({ answer: {} })
    await ask(server)
    await ask(server, { temperature: undefined, schema: false })
    const [first, second] = server.asked.map(({ body }) => body)
    expect(first).toMatchObject({
      seed: 7,
      max_tokens: 2_000,
      response_format: { type: 'json_schema', json_schema: { strict: true } },
    })
    expect(second).toMatchObject({ response_format: { type: 'json_object' } })
    expect(second).not.toHaveProperty('seed')
    expect(second).not.toHaveProperty('temperature')
  })
})

describe('the name of the most tokens of an answer', () => {
  const refuses = (name: string) =>
    aServer(({ body }) =>
      name in body
        ? {
            status: 400,
            body: JSON.stringify({
              error: { message: `Unsupported parameter: '${name}' is not supported with this model.` },
            }),
          }
        : { answer: { a: 1 } },
    )

  it('is learnt from an endpoint that refuses the one it was sent by', async () => {
    const server = await refuses('max_tokens')
    const client = createModelClient(endpoint(server))
    for (let asked = 0; asked < 2; asked += 1) await client.ask(request, never)
    expect(server.asked.map(({ body }) => [body['max_tokens'], body['max_completion_tokens']])).toEqual([
      [2_000, undefined],
      [undefined, 2_000],
      [undefined, 2_000],
    ])
  })

  it('is tried once: an endpoint that refuses both refuses the request', async () => {
    const server = await aServer(() => ({
      status: 400,
      body: JSON.stringify({ error: { message: 'max_tokens and max_completion_tokens are too large' } }),
    }))
    await expect(ask(server)).rejects.toThrow(/refuses the request \(400\): max_tokens and/)
    expect(server.asked).toHaveLength(2)
  })

  it('is not in doubt where a request is refused for something else', async () => {
    const server = await aServer(() => ({ status: 400, body: '{"error": {"message": "no such model size"}}' }))
    await expect(ask(server)).rejects.toThrow('no such model size')
    expect(server.asked).toHaveLength(1)
  })
})
