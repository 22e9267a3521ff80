import { createHash } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startApi } from '../support/api.js'

const PAGE = 'https://dashboard.example.com'

async function api(settings: NonNullable<Parameters<typeof startApi>[0]>['settings'] = {}) {
  const started = await startApi({ settings })
  onTestFinished(() => started.server.close())
  return started
}

describe('the documentation page', () => {
  test('shows every route and lets nothing in but its own style', async () => {
    const { url } = await api()
    const answer = await fetch(`${url}/docs`)
    const page = await answer.text()
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? ''
    expect(style).not.toBe('')
    const hash = createHash('sha256').update(style).digest('base64')
    expect(answer.headers.get('content-security-policy')).toContain(`default-src 'none'; style-src 'sha256-${hash}';`)
    expect(page).toContain('/projects/{project_id}/mcp-keys')
    expect(page).toContain('/api/v1/projects')
    expect(page).not.toMatch(/<script|https?:\/\//)
  })
})

describe('web pages of other origins', () => {
  test('may read answers when the operator names them', async () => {
    const { call } = await api({ corsOrigins: [PAGE] })
    const answer = await call('GET', '/api/v1/projects', { headers: { origin: PAGE } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    const preflight = await call('OPTIONS', '/api/v1/projects', {
      headers: {
        origin: PAGE,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
  })

  test('may change and remove things, and read the headers that answers carry', async () => {
    const { call } = await api({ corsOrigins: [PAGE] })
    const preflight = await call('OPTIONS', '/api/v1/projects', {
      headers: { origin: PAGE, 'access-control-request-method': 'PUT' },
    })
    expect(preflight.headers.get('access-control-allow-methods')).toMatch(/POST, PUT, PATCH, DELETE/)
    const answer = await call('GET', '/api/v1/projects', { headers: { origin: PAGE } })
    expect(answer.headers.get('access-control-expose-headers')?.split(', ')).toEqual(
      expect.arrayContaining([
        'etag',
        'retry-after',
        'x-total-count',
        'x-warnings',
        'ratelimit-remaining',
        'earshot-budget-left',
      ]),
    )
  })

  test('may not otherwise', async () => {
    const { call } = await api()
    const answer = await call('GET', '/api/v1/projects', { headers: { origin: PAGE } })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const { call: open } = await api({ corsOrigins: [PAGE] })
    const stranger = await open('GET', '/api/v1/projects', { headers: { origin: 'https://evil.example.com' } })
    expect(stranger.status).toBe(403)
  })
})

test('answers are compressed for clients that ask for it', async () => {
  const { port, raw } = await api()
  const get = (encoding: string) =>
    raw(
      `GET /openapi.json HTTP/1.1\r\nHost: localhost:${port}\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`,
    )
  expect(await get('gzip')).toMatch(/content-encoding: gzip\r\n/i)
  expect(await get('br')).toMatch(/content-encoding: br\r\n/i)
  expect(await get('identity')).not.toMatch(/content-encoding/i)
})
