import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, startService } from '../support/start-service.js'
import { isTried } from '../support/whole.js'
import { browserHere, goTo, openBrowser, signedIn } from './browser.js'

// The main screens beside what they looked like: over calls that are the same every day, and so coarse that other fonts make no
// difference, but a screen that lost its style, a column or its colours does. PICTURES=1 takes them anew, to be looked at.

const executable = browserHere()
const takesAnew = process.env['PICTURES'] !== undefined
const FOLDER = join(import.meta.dirname, 'pictures')

/** Size of a picture, pixels: a letter is less than one of them. */
const SIZE = { width: 128, height: 96 }
/** Most that two pictures differ on average, of 255. Dark for light is some 200, a screen without its style 20 to 60. */
const MOST = 6
/** The last day of the calls. */
const END = '2026-03-02T00:00:00.000Z'

describe.skipIf(executable === undefined)('a screen looks as it did', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'earshot-pictures-'))
  let service: RunningService
  let browser: Browser
  let page: Page
  let canvas: Page
  let first: string

  beforeAll(async () => {
    const dataDir = join(scratch, 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    writeFileSync(join(dataDir, 'demo.json'), JSON.stringify({ state: 'filling', calls: 200, seed: 1, end: END }))
    service = await startService({ dataDir, calls: 200, fills: true })
    browser = await openBrowser(executable ?? '')
    const context = await browser.newContext({
      viewport: { width: 1280, height: 960 },
      reducedMotion: 'reduce',
      colorScheme: 'light',
    })
    page = await signedIn(context, `${service.api_url}/key`, service.application_key)
    canvas = await browser.newPage()
    const { calls } = (await (
      await fetch(`${service.api_url}/api/v1/calls?sort=score_asc&limit=1&date_from=2025-01-01&date_to=2026-03-02`, {
        headers: { authorization: `Bearer ${service.application_key}` },
      })
    ).json()) as { calls: { session_id: string }[] }
    first = calls[0]?.session_id ?? ''
  })
  afterAll(async () => {
    await browser.close()
    await service.end()
    rmSync(scratch, { recursive: true, force: true })
  })

  /** A picture made as small as one is kept. */
  const small = async (jpeg: Buffer): Promise<Buffer> => {
    const made = await canvas.evaluate<string>(
      `(${shrink})(${JSON.stringify({ url: `data:image/jpeg;base64,${jpeg.toString('base64')}`, ...SIZE })})`,
    )
    return Buffer.from(made.replace(/^data:image\/png;base64,/, ''), 'base64')
  }
  const difference = async (one: Buffer, other: Buffer): Promise<number> =>
    await canvas.evaluate<number>(
      `(${compare})(${JSON.stringify([one, other].map(png => `data:image/png;base64,${png.toString('base64')}`))})`,
    )

  test.each([
    [0, 'today', '/', '.reasons li'],
    [1, 'calls', '/calls?date_to=2026-03-02', '.call-row'],
    [2, 'call', '/calls/:first', '.timeline .block'],
    [3, 'agents', '/agents', 'main .interval'],
    [4, 'changes', '/changes?period=2026-02-01%20to%202026-03-01', '.detectable li'],
    [5, 'explore', '/explore', 'main button'],
  ] as const)('screen %i looks as it did, light and dark: %s', async (row, name, path, ready) => {
    await goTo(page, path.replace(':first', first))
    await page.locator(ready).first().waitFor()
    // The stream of new calls stays open, so the network is never idle.
    await expect.poll(() => page.locator('.bone').count()).toBe(0)
    // In the suite the one or the other; anew they are taken all.
    for (const [column, colorScheme] of (['light', 'dark'] as const).entries()) {
      if (!takesAnew && !isTried(row, column, 2)) continue
      await page.emulateMedia({ colorScheme })
      const taken = await small(await page.screenshot({ animations: 'disabled', type: 'jpeg', quality: 90 }))
      const file = join(FOLDER, `${name}-${colorScheme}.png`)
      if (takesAnew) {
        mkdirSync(FOLDER, { recursive: true })
        writeFileSync(file, taken)
      }
      expect(existsSync(file)).toBe(true)
      expect(await difference(taken, readFileSync(file))).toBeLessThan(MOST)
    }
  })

  test('a difference is seen: light from dark, and one screen from another', async () => {
    const kept = (name: string) => readFileSync(join(FOLDER, `${name}.png`))
    expect(await difference(kept('today-light'), kept('today-light'))).toBe(0)
    expect(await difference(kept('today-light'), kept('today-dark'))).toBeGreaterThan(100)
    for (const other of ['calls', 'call', 'agents', 'changes', 'explore']) {
      expect(await difference(kept('today-light'), kept(`${other}-light`))).toBeGreaterThan(MOST)
    }
  })
})

// Run in the browser, which reads and writes pictures.
const shrink = `async ({ url, width, height }) => {
  const picture = new Image()
  picture.src = url
  await picture.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  return canvas.toDataURL('image/png')
}`
const compare = `async urls => {
  const [one, other] = await Promise.all(
    urls.map(async url => {
      const picture = new Image()
      picture.src = url
      await picture.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height })
      const context = canvas.getContext('2d')
      context.drawImage(picture, 0, 0)
      return context.getImageData(0, 0, picture.width, picture.height).data
    }),
  )
  let sum = 0
  for (let i = 0; i < one.length; i += 1) sum += Math.abs(one[i] - other[i])
  return sum / ((one.length * 3) / 4)
}`
