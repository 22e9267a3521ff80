// Starts the built demo over made-up calls and opens its console in Chromium, signed in: for what looks at the real thing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const bin = fileURLToPath(new URL('../../bin/earshot.cjs', import.meta.url))
const executablePath =
  process.env['CHROMIUM'] ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(path => existsSync(path))

/**
 * Does something with the demo's console, and leaves nothing behind.
 * @param use gets the browser, the address, and what opens a context that is signed in
 */
export async function withDemoConsole(use) {
  if (executablePath === undefined) throw new Error('Chromium is missing: CHROMIUM=/path/to/it names one')
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-console-'))
  const demo = spawn(
    process.execPath,
    [bin, 'demo', '--json', '--data-dir', dataDir, '--port', '0', '--mcp-port', '0'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const gone = once(demo, 'exit')
  try {
    const [line] = await Promise.race([
      once(demo.stdout, 'data'),
      gone.then(() => Promise.reject(new Error('The demo ended before it listened'))),
    ])
    const { api_url: url, application_key: key } = JSON.parse(String(line))
    const browser = await chromium.launch({ executablePath, args: ['--disable-gpu'] })
    try {
      await use({ browser, url, key, signedIn: options => signedIn(browser, url, key, options) })
    } finally {
      await browser.close()
    }
  } finally {
    demo.kill('SIGTERM')
    await gone
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function signedIn(browser, url, key, options) {
  const context = await browser.newContext(options)
  const answer = await context.request.post(`${url}/console/session`, {
    headers: { 'x-earshot-console': 'http:' },
    data: { key },
  })
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}`)
  return context
}

/** The call of the demo that scored lowest. */
export async function worstCall(url, key) {
  const answer = await fetch(`${url}/api/v1/calls?sort=score_asc&limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return (await answer.json()).calls[0]
}
