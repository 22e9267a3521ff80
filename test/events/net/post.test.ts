import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { addressRules } from '../../../src/events/net/address-rules.js'
import { checkUrl } from '../../../src/events/net/check-url.js'
import type { RequestOptions } from '../../../src/events/net/checked-request.js'
import { getDocument } from '../../../src/events/net/get-document.js'
import { post } from '../../../src/events/net/post.js'

const MESSAGE = { headers: { 'content-type': 'application/json' }, body: '{"a":1}' }
const ours = addressRules(['127.0.0.0/8'])
const nobody = addressRules([])

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function receiver(listener: RequestListener): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host} ${request.url}`)
    listener(request, response)
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, asked }
}

const ok: RequestListener = (_, response) => void response.end('fine')

/** What is kept of an attempt, without its duration. */
async function kept(url: string, options: RequestOptions): Promise<unknown> {
  const { durationMs, ...answer } = await post(url, MESSAGE, options)
  expect(durationMs).toBeGreaterThanOrEqual(0)
  return answer
}

test('sends the body and keeps the status, nothing else', async () => {
  let body = ''
  const { port } = await receiver((request, response) => {
    request.on('data', data => (body += data)).on('end', () => response.writeHead(202).end('secret answer'))
  })
  expect(await kept(`http://127.0.0.1:${port}/`, { rules: ours })).toEqual({ status: 202 })
  expect(body).toBe(MESSAGE.body)
})

describe('where a connection may go', () => {
  test.each([
    'http://127.0.0.1', 'http://2130706433', 'http://0x7f.1', 'http://0177.0.0.1', 'http://[::ffff:127.0.0.1]',
    'http://localhost', 'http://a.localhost', 'https://127.0.0.1', 'https://localhost', 'https://[::1]',
  ])('%s is not asked unless the operator allows it', async start => {
    const { port, asked } = await receiver(ok)
    expect(await kept(`${start}:${port}/`, { rules: nobody })).toEqual({ failure: 'address_not_allowed' })
    expect(asked).toEqual([])
  }) // oxfmt-ignore

  test('a name with one private address among public ones leads nowhere', async () => {
    const { port, asked } = await receiver(ok)
    const resolve = async () => ['93.184.216.34', '127.0.0.1']
    const answer = await kept(`https://hooks.example.com:${port}/`, { rules: nobody, resolve })
    expect([answer, asked]).toEqual([{ failure: 'address_not_allowed' }, []])
  })

  test.each([
    ['127.0.0.1'], ['::ffff:127.0.0.1'], ['::1'], ['169.254.169.254'], ['64:ff9b::7f00:1'], ['fd00:ec2::254'], ['0.0.0.0'],
  ])('a name that leads to %s leads nowhere', async address => {
    const answer = await kept('https://hooks.example.com/', { rules: nobody, resolve: async () => [address] })
    expect(answer).toEqual({ failure: 'address_not_allowed' })
  }) // oxfmt-ignore

  test('a name that is another at the second look is looked up once, and connected to what was checked', async () => {
    const { port, asked } = await receiver(ok)
    const addresses = ['127.0.0.1', '10.0.0.1', '10.0.0.1']
    let looks = 0
    const resolve = async () => [addresses[looks++] ?? '']
    // Plain http, so that the receiver can answer: allowed for loopback alone.
    expect(await kept(`http://rebind.localhost:${port}/x`, { rules: ours, resolve })).toEqual({ status: 200 })
    expect(looks).toBe(1)
    expect(asked).toEqual([`POST rebind.localhost:${port} /x`])
    expect(await kept(`http://rebind.localhost:${port}/x`, { rules: ours, resolve })).toEqual({
      failure: 'address_not_allowed',
    })
    expect(asked).toHaveLength(1)
  })

  test('plain http goes to this machine only, whatever else is allowed', async () => {
    const rules = addressRules(['0.0.0.0/0'])
    expect(await kept('http://10.0.0.1/', { rules })).toEqual({ failure: 'address_not_allowed' })
    const resolve = async () => ['8.8.8.8']
    expect(await kept('http://hooks.example.com/', { rules, resolve })).toEqual({ failure: 'address_not_allowed' })
  })

  test('a name nobody knows is no name', async () => {
    expect(await kept('https://nowhere.example.com/', { rules: nobody, resolve: async () => [] })).toEqual({
      failure: 'name_not_found',
    })
    const resolve = async () => await Promise.reject(new Error('SERVFAIL 10.0.0.53'))
    expect(await kept('https://nowhere.example.com/', { rules: nobody, resolve })).toEqual({
      failure: 'name_not_found',
    })
  })
})

describe('what a receiver may do to us', () => {
  test.each([301, 302, 303, 307, 308])('a redirect (%i) is an answer, and is not followed', async status => {
    const target = await receiver(ok)
    const { port } = await receiver((_, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${target.port}/inside` }).end()
    })
    expect(await kept(`http://127.0.0.1:${port}/`, { rules: ours })).toEqual({ status })
    expect(target.asked).toEqual([])
  })

  test('one that says nothing, or drips headers, is left after the time', async () => {
    const silent = await receiver(() => undefined)
    expect(await kept(`http://127.0.0.1:${silent.port}/`, { rules: ours, timeoutMs: 150 })).toEqual({
      failure: 'timeout',
    })
    const slow = async () => await new Promise<readonly string[]>(() => undefined)
    const options = { rules: nobody, resolve: slow, timeoutMs: 150 }
    expect(await kept('https://hooks.example.com/', options)).toEqual({ failure: 'timeout' })
  })

  test('an endless body is cut off', async () => {
    let cut: (() => void) | undefined
    const gone = new Promise<void>(resolve => (cut = resolve))
    const { port } = await receiver((_, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
        response.once('drain', write)
      }
      response.once('close', () => cut?.())
      write()
    })
    expect(await kept(`http://127.0.0.1:${port}/`, { rules: ours })).toEqual({ status: 200 })
    await gone
  })

  test('one that is not there, hangs up, or speaks no TLS is a word', async () => {
    const closed = await receiver(ok)
    servers.splice(0).forEach(server => server.close())
    expect(await kept(`http://127.0.0.1:${closed.port}/`, { rules: ours })).toEqual({ failure: 'connection_refused' })
    const rude = await receiver(request => void request.socket.destroy())
    expect(await kept(`http://127.0.0.1:${rude.port}/`, { rules: ours })).toEqual({ failure: 'connection_failed' })
    const plain = await receiver(ok)
    expect(await kept(`https://127.0.0.1:${plain.port}/`, { rules: ours })).toEqual({ failure: 'tls_failed' })
  })
})

describe('an address is refused when it is written, where that can be said', () => {
  const refused = (url: string, rules = nobody) => {
    try {
      checkUrl(url, rules)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  test.each(['https://10.0.0.1/', 'https://[::1]/', 'https://localhost/', 'https://2852039166/latest/meta-data'])(
    '%s',
    url => expect(refused(url)).toMatch(/must lead to a public address.*EARSHOT_WEBHOOK_ALLOWED_RANGES/),
  )

  test('http is for this machine, where it is allowed', () => {
    expect(refused('http://hooks.example.com/', ours)).toBe('Field "url" must be an https:// address')
    expect(refused('http://10.0.0.1/', addressRules(['10.0.0.0/8']))).toBe('Field "url" must be an https:// address')
    expect(refused('http://localhost:1/', nobody)).toMatch(/public address/)
    expect(refused('http://localhost:1/', ours)).toBeUndefined()
    expect(refused('https://hooks.example.com/')).toBeUndefined()
  })
})

describe('a document', () => {
  const get = async (url: string, options: RequestOptions = { rules: ours }) =>
    await getDocument(new URL(url), 100, options)

  test('comes with its status, and a redirect is not followed, wherever it leads', async () => {
    const inward = await receiver(ok)
    const { port, asked } = await receiver((request, response) => {
      if (request.url === '/plain') response.end('{"a":1}')
      else response.writeHead(302, { location: `http://127.0.0.1:${inward.port}/` }).end()
    })
    expect(await get(`http://127.0.0.1:${port}/plain`)).toEqual({ status: 200, text: '{"a":1}' })
    expect(await get(`http://127.0.0.1:${port}/away`)).toEqual({ status: 302, text: '' })
    expect([asked, inward.asked]).toEqual([[`GET 127.0.0.1:${port} /plain`, `GET 127.0.0.1:${port} /away`], []])
  })

  test('that is too large, never ends or breaks off is none', async () => {
    const { port } = await receiver((request, response) => {
      if (request.url === '/large') response.end('x'.repeat(101))
      else if (request.url === '/endless') response.write('x')
      else response.writeHead(200, { 'content-length': '50' }).write('x', () => response.destroy())
    })
    await expect(get(`http://127.0.0.1:${port}/large`)).rejects.toThrow('larger than 100 bytes')
    await expect(get(`http://127.0.0.1:${port}/endless`, { rules: ours, timeoutMs: 50 })).rejects.toThrow(
      /aborted|timeout|failed/,
    )
    await expect(get(`http://127.0.0.1:${port}/broken`)).rejects.toThrow(/aborted|timeout|failed/)
  })

  test('of an address inside is not asked for, by whatever name', async () => {
    const { port, asked } = await receiver(ok)
    const inward = { rules: nobody, resolve: async () => ['10.0.0.1', '127.0.0.1'] }
    await expect(get(`http://127.0.0.1:${port}/`, { rules: nobody })).rejects.toThrow('address_not_allowed')
    await expect(get(`https://documents.example:${port}/`, inward)).rejects.toThrow('address_not_allowed')
    expect(asked).toEqual([])
  })
})
