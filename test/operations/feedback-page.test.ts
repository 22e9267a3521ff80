import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCallsApi } from '../support/calls-api.js'
import { pageCommands } from '../support/page-commands.js'

const run = promisify(execFile)

let api: Awaited<ReturnType<typeof startCallsApi>>
beforeAll(async () => {
  api = await startCallsApi()
})
afterAll(() => api.close())

test('docs/webhooks.md shows what is answered to feedback, field by field', async () => {
  const key = await api.mint({ name: 'Dashboard' })
  const call = { session_id: '4496038b82637755', agent_name: 'Ana', created_dt: '2026-03-01T10:00:00Z' }
  await api.call('POST', '/api/v1/interactions', { as: key, body: call })
  const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const commands = pageCommands(page).filter(({ command }) => command.includes('/feedback'))
  expect(commands).toHaveLength(2)
  /** Without what is another's each time, and the page's line breaks. */
  const asShown = (answer: string) =>
    answer.replaceAll('\n', '').replaceAll(/(?<="feedback_id":"fb_)[0-9a-f]{24}|(?<="created_at":")[\d.:TZ-]{24}/g, '…')
  for (const { command, shown } of commands) {
    const { stdout } = await run('bash', ['-c', command], { env: { ...process.env, API: api.url, KEY: key } })
    expect(asShown(shown)).toBe(asShown(stdout))
  }
})
