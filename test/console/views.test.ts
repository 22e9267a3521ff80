import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import type { Browser, Frame, Page } from 'playwright-core'
import { build } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectClient } from '../support/mcp-client.js'
import { type RunningService, startService } from '../support/start-service.js'
import { isWhole } from '../support/whole.js'
import { axeFindings, browserHere, openBrowser, overflow, watchFaults } from './browser.js'

// The pages of MCP Apps in a browser, with the protocol's own bridge for the AI client and the real service behind it.

const executable = browserHere()
const DAY_MS = 86_400_000

describe.skipIf(executable === undefined)('in the window of an AI client', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'earshot-views-'))
  let service: RunningService
  let browser: Browser
  let client: Client
  let page: Page
  let faults: readonly string[]
  const requests: string[] = []
  const today = new Date().toISOString().slice(0, 10)
  const lastMonth = { period: `${new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10)} to ${today}` }

  beforeAll(async () => {
    const dataDir = join(scratch, 'data')
    service = await startService({ dataDir, calls: 300 })
    client = await connectClient(service.mcp_url, service.application_key)
    browser = await openBrowser(executable ?? '')
    const host = await build({
      input: join(import.meta.dirname, 'view-host.mjs'),
      write: false,
      platform: 'browser',
      output: { format: 'iife' },
      logLevel: 'silent',
    })
    page = await browser.newPage({ viewport: { width: 360, height: 800 } })
    faults = watchFaults(page)
    page.on('request', one => requests.push(one.url()))
    await page.exposeFunction(
      'askTool',
      async (name: string, args: Record<string, unknown>) => await client.callTool({ name, arguments: args }),
    )
    await page.addScriptTag({ content: host.output[0].code })
  })
  afterAll(async () => {
    await browser.close()
    await client.close()
    await service.end()
    rmSync(scratch, { recursive: true, force: true })
  })

  const pageOf = async (view: string, asking = client) => {
    const [content] = (await asking.readResource({ uri: `ui://earshot/${view}.html` })).contents
    return content !== undefined && 'text' in content ? content.text : ''
  }
  const ask = async (name: string, args: Record<string, unknown>, asking = client) =>
    await asking.callTool({ name, arguments: args })

  /** Has the client show a page. */
  const hand = async (shown: object) =>
    await page.evaluate(one => (globalThis as unknown as { showView(one: object): Promise<void> }).showView(one), shown)

  async function show(view: string, result: CallToolResult, { theme = 'light', asks = true } = {}): Promise<Frame> {
    const html = await pageOf(view)
    await hand({ html, result, theme, asks })
    const frame = page.frames().at(-1)!
    await frame.locator('h1').waitFor()
    return frame
  }

  /** Axe finds nothing in it, and 360 px are enough. */
  async function isSound(frame: Frame): Promise<void> {
    expect(await axeFindings(frame)).toEqual([])
    expect(await overflow(frame)).toBe(0)
  }

  async function worst(): Promise<{ readonly session_id: string }> {
    const { structuredContent } = await ask('search_calls', { sort: 'score_asc', limit: 1 })
    return (structuredContent as { calls: { session_id: string }[] }).calls[0]!
  }

  test('a call is drawn from the answer of its tool', async () => {
    const answer = await ask('get_call_detail', { session_id: (await worst()).session_id })
    const { transcript, metadata } = answer.structuredContent as {
      transcript: { turn: number; text: string }[]
      metadata: { title: string }
    }
    const frame = await show('call', answer)
    expect(await frame.locator('h1').textContent()).toBe(metadata.title)
    expect(await frame.locator('.transcript .turn').count()).toBe(transcript.length)
    await isSound(frame)
    await frame.locator('.timeline a').nth(2).click()
    await expect.poll(() => frame.locator('.turn.here').getAttribute('id')).toBe(`turn-${transcript[2]!.turn}`)
  })

  test('from the summary one goes on to the calls of a reason, to one of them, and back', async () => {
    const frame = await show('summary', await ask('get_project_summary', {}))
    expect(await frame.locator('.figure-value').count()).toBe(4)
    await isSound(frame)
    const reason = frame.locator('.reason-name').first()
    const name = await reason.textContent()
    await reason.click()
    await frame.getByRole('heading', { level: 2, name: /^\d+ calls?$/ }).waitFor()
    await frame.locator('.evidence button').first().click()
    await expect.poll(() => frame.locator('.call-facts').textContent()).toContain(name)
    await frame.getByRole('button', { name: 'Back' }).click()
    await frame.getByRole('button', { name: 'Back' }).click()
    await frame.getByRole('heading', { level: 1, name: 'Summary' }).waitFor()
  })

  test('changes are drawn, dark where the client is; where it asks no tools nothing leads on', async () => {
    const answer = await ask('detect_changes', lastMonth)
    expect(answer.isError).not.toBe(true)
    const frame = await show('changes', answer, { theme: 'dark', asks: false })
    await frame.getByRole('heading', { name: 'What could have been seen' }).waitFor()
    await isSound(frame)
    expect(await frame.locator('button').count()).toBe(0)
    expect(await frame.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe('rgb(19, 20, 22)')
  })

  test('a refusal is said in the tool’s words', async () => {
    const html = await pageOf('call')
    const refused = await ask('get_call_detail', { session_id: 'nobody' })
    expect(refused.isError).toBe(true)
    await hand({ html, result: refused, theme: 'light', asks: true })
    await expect.poll(() => page.frames().at(-1)!.locator('.note').textContent()).toContain('Call not found')
  })

  test('a key that sees no text is drawn a call without any', async () => {
    const minted = await fetch(`${service.api_url}/projects/${service.project_id}/mcp-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.admin_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'No text', text: 'none' }),
    })
    const blind = await connectClient(service.mcp_url, ((await minted.json()) as { key: string }).key)
    const frame = await show('call', await ask('get_call_detail', { session_id: (await worst()).session_id }, blind))
    expect(await frame.locator('.transcript, .timeline, blockquote').count()).toBe(0)
    await frame.getByRole('heading', { name: 'Heard' }).waitFor()
    await blind.close()
  })

  test('what calls say is text, and nothing is asked of any address', async () => {
    const hostile = '<img src=x onerror=alert(1)></script><script>alert(1)</script>'
    const call = { session_id: 'hostile', agent_name: 'Ana', created_dt: '2026-01-01T00:00:00Z', title: hostile }
    const sent = await fetch(`${service.api_url}/api/v1/interactions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.application_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...call, transcript: [{ turn: 0, actor: 'customer', text: hostile }] }),
    })
    expect(sent.ok).toBe(true)
    const frame = await show('call', await ask('get_call_detail', { session_id: 'hostile' }))
    expect(await frame.locator('h1').textContent()).toBe(hostile)
    expect(await frame.locator('img, main script').count()).toBe(0)
    await isSound(frame)
    if (isWhole) await isSound(await show('changes', await ask('detect_changes', lastMonth)))
    expect(requests.filter(url => !/^(?:about|data):/.test(url))).toEqual([])
    expect(faults).toEqual([])
  })
})
