import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from 'playwright-core'
import { expect } from 'vitest'

/** Where Chromium is, on Debian and elsewhere; CHROMIUM names another. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const NO_BROWSER =
  'The console’s tests need Chromium: apt-get install --no-install-recommends chromium-headless-shell, or CHROMIUM=/path/to/it'

/** The browser there is; undefined where a developer has none. @throws Error in CI, where there has to be one */
export function browserHere(): string | undefined {
  const named = process.env['CHROMIUM']
  const found = named ?? PLACES.find(path => existsSync(path))
  if (found !== undefined) return found
  if (process.env['CI'] !== undefined) throw new Error(NO_BROWSER)
  process.stderr.write(`\n${NO_BROWSER}. They are left out.\n\n`)
  return undefined
}

export async function openBrowser(executablePath: string): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-sync',
      // Pages of one sign-in share a process: each of its own is a quarter of a second of processor.
      '--process-per-site',
    ],
  })
}

/** What a page did that it must not: broke its policy, threw, or complained. */
export function watchFaults(page: Page): readonly string[] {
  const faults: string[] = []
  page.on('pageerror', error => faults.push(`error: ${error.message}`))
  page.on('console', message => {
    // The browser's own line of an answer that is no success: some are asked for on purpose.
    if (message.text().startsWith('Failed to load resource')) return
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`${message.type()}: ${message.text()}`)
  })
  return faults
}

/**
 * What axe finds wrong with a page, a line each.
 * @param rules that are tried; all by default
 */
export async function axeFindings(page: Page | Frame, rules?: readonly string[]): Promise<readonly string[]> {
  // As text: the page's policy lets no script element in, and its result must not be looked at. Once a page, where it stays.
  if (await page.evaluate<boolean>('!globalThis.axe')) await page.evaluate(`${axe.source};0`)
  // All rules, but only what is wrong is named: to name each element that is right is a third of the work.
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  return await page.evaluate<readonly string[]>(
    `axe.run(document, ${options}).then(found => found.violations.map(one => one.id + ': ' + one.nodes.map(node => node.target).join(' ')))`,
  )
}

/** How far the page is wider than its window, pixels. */
export async function overflow(page: Page | Frame): Promise<number> {
  return await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
}

/** A page signed in with a key, at an address of the console. */
export async function signedIn(context: BrowserContext, url: string, key: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel('Application key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  return page
}

/**
 * Goes to another screen as a link of the console does, and waits until the one before is gone. It is a seventh of the work of loading the
 * page anew, which is for what an address is to bring back, and for a screen after itself.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  const before = await page.$('main :is(h1, .note)')
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
  await before?.waitForElementState('hidden')
}

/** Drops a file or folder onto what a selector names, which takes the class `over` when something is held over it. */
export async function dropFile(page: Page, path: string, onto: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  const send = async (type: 'dragEnter' | 'dragOver' | 'drop') => {
    const { x = 0, y = 0 } = (await page.locator(onto).boundingBox()) ?? {}
    await devtools.send('Input.dispatchDragEvent', { type, x: x + 20, y: y + 20, data })
  }
  await send('dragEnter')
  await expect
    .poll(async () => {
      await send('dragOver')
      return await page.locator(`${onto}.over`).count()
    })
    .toBe(1)
  await send('dragOver')
  await send('drop')
}
