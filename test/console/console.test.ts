import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { rawClient } from '../support/raw-client.js'
import { runEarshot } from '../support/run-earshot.js'
import { type RunningService, startService } from '../support/start-service.js'
import { axeFindings, browserHere, dropFile, goTo, openBrowser, overflow, signedIn, watchFaults } from './browser.js'
import { isWhole } from '../support/whole.js'

const executable = browserHere()

describe.skipIf(executable === undefined)('the console in a browser', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'earshot-browser-'))
  let service: RunningService
  let browser: Browser
  let context: BrowserContext
  /** Signed in as the demo's key; tests that need another take a context of their own. */
  let page: Page
  let faults: readonly string[]
  let worst: { readonly session_id: string; readonly agent_name: string }

  const at = (path: string) => `${service.api_url}${path}`
  /** Another screen than the one that is open. */
  const open = async (path: string, heading: string | RegExp) => {
    await goTo(page, path)
    await headed(heading)
  }
  const load = async (path: string, heading: string | RegExp) => {
    await page.goto(at(path))
    await headed(heading)
  }
  const headed = async (heading: string | RegExp) => {
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
  const addressOf = (path: string) =>
    path.replaceAll(':worst', worst.session_id).replace(':agent', encodeURIComponent(worst.agent_name))
  const rows = () => page.getByRole('row').filter({ has: page.getByRole('cell') })

  async function mint(agents: readonly string[], isMapped: boolean): Promise<{ key: string; key_id: string }> {
    const answer = await fetch(at('/projects/demo/mcp-keys'), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.admin_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'One agent',
        is_supervisor: false,
        roles: [],
        allowed_agents: agents,
        require_mapping: isMapped,
      }),
    })
    expect(answer.status).toBe(201)
    return (await answer.json()) as { key: string; key_id: string }
  }

  async function asked<T>(path: string): Promise<T> {
    const answer = await fetch(at(path), { headers: { authorization: `Bearer ${service.application_key}` } })
    return (await answer.json()) as T
  }

  beforeAll(async () => {
    service = await startService({
      dataDir: join(scratch, 'data'),
      calls: 300,
      env: { EARSHOT_RECORDINGS_DIR: join(scratch, 'recordings'), EARSHOT_FOUR_EYES: '1' },
    })
    browser = await openBrowser(executable ?? '')
    context = await browser.newContext({ ...CALM, permissions: ['clipboard-read', 'clipboard-write'] })
    page = await signedIn(context, at('/calls'), service.application_key)
    faults = watchFaults(page)
    const { calls } = await asked<{ calls: (typeof worst)[] }>('/api/v1/calls?sort=score_asc&limit=1')
    worst = calls[0]!
  })
  afterAll(async () => {
    await browser.close()
    await service.end()
    rmSync(scratch, { recursive: true, force: true })
  })

  test('the link of the demo opens it, once', async () => {
    const own = await browser.newContext(CALM)
    const first = await own.newPage()
    await first.goto(service.console_url ?? '')
    await first.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(first.url()).not.toContain('#')
    await own.clearCookies()
    const second = await own.newPage()
    await second.goto(service.console_url ?? '')
    await expect.poll(() => second.getByRole('alert').textContent()).toContain('used already')
    await own.close()
  })

  test('a wrong key is told so, and nothing of a key stays in the browser', async () => {
    const own = await browser.newContext(CALM)
    const door = await own.newPage()
    await door.goto(at('/calls'))
    await door.getByLabel('Application key').fill('esk_wrong')
    await door.getByRole('button', { name: 'Sign in' }).click()
    await expect.poll(() => door.getByRole('alert').textContent()).toContain('This key is not accepted')
    await own.close()
    expect(await page.evaluate('JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])')).toBe(
      '[{},{},""]',
    )
  })

  test('calls are listed, filtered by what the address says, and the address by what is chosen', async () => {
    await headed('Calls')
    await expect.poll(() => page.getByRole('status').first().textContent()).toContain('300 calls')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('button', { name: 'Agent', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: new RegExp(`^${worst.agent_name}`) })
      .click()
    await expect.poll(() => new URL(page.url()).searchParams.get('agent_name')).toBe(worst.agent_name)
    await page.getByLabel('Sort').selectOption('score_asc')
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('score_asc')
    const shared = page.url()
    await page.goto(shared)
    await rows().first().waitFor()
    const agents = await page.locator('.call-row .agent').allTextContents()
    expect(new Set(agents)).toEqual(new Set([worst.agent_name]))
    const [total] = /^\d+/.exec((await page.getByRole('status').first().textContent()) ?? '') ?? []
    const csv = page.getByRole('button', { name: /^Download CSV/ })
    expect(await csv.textContent()).toBe(`Download CSV ${total}`)
    await page.getByRole('button', { name: 'Remove filter Agent' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.has('agent_name')).toBe(false)
    await expect.poll(() => csv.textContent()).toBe('Download CSV 300')
    await page.goBack()
    await expect.poll(() => new URL(page.url()).searchParams.has('agent_name')).toBe(true)
    await page.goForward()
    await expect.poll(() => csv.textContent()).toBe('Download CSV 300')
    const [file] = await Promise.all([page.waitForEvent('download'), csv.click()])
    const ids = parse(readFileSync(await file.path(), 'utf8'), { columns: true }) as readonly { session_id: string }[]
    expect(new Set(ids.map(one => one.session_id)).size).toBe(300)
    expect(ids).toHaveLength(300)
  })

  test('columns are chosen in the address, and a view brings a list back', async () => {
    await load('/calls?min_score=4&columns=agent,signals,gone', 'Calls')
    await rows().first().waitFor()
    const heads = page.getByRole('columnheader')
    await expect.poll(() => heads.allTextContents()).toEqual(['Agent', 'What it was', 'Signals'])
    expect(await rows().first().getByRole('cell').last().textContent()).toMatch(/^\d+$/)
    await page.getByRole('button', { name: 'Columns' }).press('Enter')
    await page.getByLabel('Score', { exact: true }).press(' ')
    await expect.poll(() => new URL(page.url()).searchParams.get('columns')).toBe('agent,title,score,signals')
    await expect.poll(() => heads.allTextContents()).toEqual(['Agent', 'What it was', 'Score', 'Signals'])
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    const { search } = new URL(page.url())
    const views = page.getByRole('button', { name: 'Views' })
    await views.press('Enter')
    await page.getByLabel('Name of this view').fill('Good ones')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Good ones' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await load('/calls', 'Calls')
    await views.press('Enter')
    await page.getByRole('link', { name: 'Good ones' }).press('Enter')
    await expect.poll(() => new URL(page.url()).search).toBe(search)
    await views.press('Enter')
    await page.getByRole('button', { name: 'Remove view Good ones' }).press('Enter')
    expect(await page.evaluate('localStorage.length')).toBe(0)
    await page.evaluate(
      `localStorage.setItem('earshot.views demo Demo', '[3, {"name": "Old", "search": {"gone": "1", "min_score": "4"}}]')`,
    )
    await load('/calls', 'Calls')
    await views.press('Enter')
    expect(await page.getByRole('link', { name: 'Old' }).getAttribute('href')).toBe('/calls?min_score=4')
    await page.evaluate('localStorage.clear()')
    await page.setViewportSize({ width: 360, height: 740 })
    await load('/calls?columns=when,agent,title,why,score,lift,signals,length', 'Calls')
    for (const width of [360, 900]) {
      await page.setViewportSize({ width, height: 740 })
      await rows().first().waitFor()
      expect(await overflow(page)).toBe(0)
    }
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  test('words that were searched for are marked in the list and in the transcript', async () => {
    await load('/calls?text=card', 'Calls')
    await rows().first().getByRole('link').click()
    await page.locator('.transcript').waitFor()
    await expect.poll(() => page.locator('mark').first().textContent()).toMatch(/card/i)
  })

  test('what nobody has is said, with what may be meant', async () => {
    await open('/calls?agent_name=Nobody%20Here', 'Calls')
    await page.getByRole('heading', { name: 'No call matches' }).waitFor()
    await expect.poll(() => page.locator('.note').textContent()).toContain('There is no agent name “Nobody Here”')
    await load('/calls?max_score=bad', 'Calls')
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('max_score')
    await load('/calls?date_from=2020-01-01', 'Calls')
    await page.getByRole('button', { name: 'Dates since 2020-01-01', exact: true }).waitFor()
  })

  test('a long list holds only the rows in sight, and goes on to its end', async () => {
    await load('/calls', 'Calls')
    await rows().first().waitFor()
    expect(await rows().count()).toBeLessThan(60)
    await expect
      .poll(async () => {
        await page.evaluate('scrollTo(0, document.body.scrollHeight)')
        return await page.locator('[data-row="299"]').count()
      })
      .toBe(1)
    expect(await rows().count()).toBeLessThan(60)
  })

  test('keys are enough: to search, move, open, and go through a call turn by turn', async () => {
    await load('/calls', 'Calls')
    await rows().first().waitFor()
    await page.keyboard.press('j')
    await expect.poll(() => page.evaluate('document.activeElement.closest("[data-row]")?.dataset.row')).toBe('0')
    await page.keyboard.press('j')
    await expect.poll(() => page.evaluate('document.activeElement.closest("[data-row]")?.dataset.row')).toBe('1')
    await page.keyboard.press('Enter')
    await page.locator('.transcript').waitFor()
    // Back in the list, the next call is the one after the one that was opened.
    await page.goBack()
    await rows().first().waitFor()
    // The list stands where it stood.
    await expect.poll(() => page.evaluate('scrollY')).toBe(0)
    await page.keyboard.press('j')
    await expect.poll(() => page.evaluate('document.activeElement.closest("[data-row]")?.dataset.row')).toBe('2')
    await page.keyboard.press('Enter')
    await page.locator('.transcript').waitFor()
    await page.locator('.block[tabindex="0"]').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.url()).toMatch(/#turn-1$/)
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/calls')
    await page.keyboard.press('/')
    await page.keyboard.type('card')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('text')).toBe('card')
  })

  test('a call says why its score is what it is, and its link leads to the turn', async () => {
    const { scores_headline: headline } = await asked<{
      scores_headline: { score: number; capped_by?: { reason: string; turn: number; quote: string } }
    }>(`/api/v1/calls/${worst.session_id}`)
    const cap = headline.capped_by!
    await goTo(page, `/calls/${worst.session_id}`)
    await expect.poll(() => page.locator('.cap').textContent()).toContain(cap.reason)
    await expect.poll(() => page.locator('.cap').textContent()).toContain(cap.quote)
    await page
      .locator('.cap')
      .getByRole('link', { name: `turn ${cap.turn}` })
      .click()
    await page.getByRole('button', { name: 'Copy link' }).click()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(link).toBe(at(`/calls/${worst.session_id}#turn-${cap.turn}`))
    const colleague = await context.newPage()
    await colleague.goto(link)
    await expect.poll(() => colleague.evaluate('document.activeElement.id')).toBe(`turn-${cap.turn}`)
    expect(await colleague.locator(`#turn-${cap.turn}`).textContent()).toContain(cap.quote)
    await colleague.close()
  })

  test('a recording is played from the turn that is clicked, and the transcript follows it', async () => {
    mkdirSync(join(scratch, 'recordings', 'demo'), { recursive: true })
    writeFileSync(join(scratch, 'recordings', 'demo', 'hum.wav'), hum(20))
    const transcript = [0, 5, 10, 15].map((start, i) => ({
      turn: i,
      actor: i % 2 === 0 ? 'agent' : 'customer',
      text: `Said at ${start}`,
      start_s: start,
      end_s: start + 4,
    }))
    const one = { agent_name: worst.agent_name, created_dt: '2026-01-01T00:00:00Z', transcript }
    const long = Array.from({ length: 450 }, (_, turn) => ({
      turn,
      actor: turn % 2 === 0 ? 'agent' : 'customer',
      text: `Word ${turn}`,
      start_s: turn,
      end_s: turn + 1,
    }))
    const recorded = [
      { ...one, session_id: 'recorded', recording_url: 'hum.wav' },
      { ...one, session_id: 'lost', recording_url: 'lost.wav' },
      { ...one, session_id: 'long', transcript: long },
    ]
    const sent = await fetch(at('/api/v1/interactions'), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.application_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(recorded),
    })
    expect(sent.ok).toBe(true)
    await page.goto(at('/calls/recorded'))
    const turn = (number: number) => page.locator(`#turn-${number}`)
    await turn(2).getByRole('link').click()
    const second = () => page.evaluate<number>('document.querySelector("audio").currentTime')
    expect(await second()).toBe(10)
    // So slowly that a turn lasts for longer than a busy machine takes to look.
    await page.evaluate('document.querySelector("audio").playbackRate = 0.1; document.querySelector("audio").play()')
    await expect.poll(() => turn(2).getAttribute('class')).toContain('playing')
    await expect.poll(second).toBeGreaterThan(10)
    // Again on the same turn, and on the time line: it goes there each time.
    await page.locator('.block[data-turn="3"]').click()
    await expect.poll(() => turn(3).getAttribute('class')).toContain('playing')
    await turn(0).getByRole('link').click()
    await expect.poll(() => turn(0).getAttribute('class')).toContain('playing')
    expect(await second()).toBeLessThan(5)
    // In the reader's own colours, who speaks is still to be seen.
    await page.emulateMedia({ forcedColors: 'active' })
    const seen = `['.block.agent', '.block.customer'].map(one => getComputedStyle(document.querySelector(one))).map(one => one.backgroundColor + one.borderTopWidth)`
    const [agent, customer] = await page.evaluate<readonly string[]>(seen)
    expect(agent).not.toBe(customer)
    await page.emulateMedia({ forcedColors: null })
    await page.evaluate('document.querySelector("audio").pause()')
    await expect.poll(() => page.locator('.turn.playing').count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])

    await page.goto(at('/calls/lost'))
    await page.locator('.transcript').waitFor()
    // At once: where the page finds that it can't be played first, the player is gone.
    await page.evaluate(
      '{ const audio = document.querySelector("audio"); audio?.load(); audio?.play().catch(() => {}) }',
    )
    await expect.poll(() => page.locator('.player').textContent()).toContain('no recording that can be played')
    await page.goto(at(`/calls/${worst.session_id}`))
    await page.locator('.transcript').waitFor()
    expect(await page.locator('audio').count()).toBe(0)
    const apart = page.getByRole('region', { name: 'The score, taken apart' })
    await expect.poll(() => apart.textContent()).toMatch(/Courtesy 20 %.*weighs \d.*would be about \d\.\d/)
  })

  test('a link leads beyond the turns that are loaded at first, and what fails meanwhile takes nothing away', async () => {
    const refused = { status: 429, json: { error: 'Too many requests', code: 'rate_limited' } }
    await page.route(/transcript_from=400/, async route => await route.fulfill(refused))
    await page.goto(at('/calls/long#turn-430'))
    await page.getByRole('alert').getByText('Too many requests').waitFor()
    expect(await page.locator('.turn').count()).toBe(400)
    expect(await page.getByText('50 more turns of the call are not loaded yet').count()).toBe(1)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('turn-430')
    expect(await page.locator('.turn').count()).toBe(450)
  })

  test('who holds something to be wrong says so, is answered, and it stands on the first page until then', async () => {
    const { signals } = await asked<{ signals: { state: string; key: string; display_name: string }[] }>(
      `/api/v1/calls/${worst.session_id}`,
    )
    const name = signals.find(one => one.state === 'present')!.display_name
    const said = page.getByRole('region', { name: 'What people said' })
    await page.goto(at(`/calls/${worst.session_id}#turn-1`))
    await page.getByRole('button', { name: 'Right: Score' }).click()
    await expect.poll(() => said.textContent()).toContain('agreed')
    await page.getByRole('button', { name: `Wrong: ${name}`, exact: true }).click()
    await page.getByLabel('What is wrong about').fill('<b>She was</b> asked for it')
    await page.getByRole('button', { name: 'Send' }).first().click()
    await expect.poll(() => said.textContent()).toContain('<b>She was</b> asked for it')
    // The form is gone: who moves by keys is where it was, not at the beginning of the page.
    await expect
      .poll(() => page.evaluate('document.activeElement.matches("li") && document.activeElement.textContent'))
      .toContain(name)
    await page.getByLabel('Comment on turn 1').fill('Here it went wrong')
    await said.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => said.getByRole('link', { name: 'turn 1' }).count()).toBe(1)
    await open('/', 'Last 7 days')
    const waiting = page.getByRole('region', { name: '1 dispute waits for an answer' })
    await waiting.getByRole('link', { name }).click()
    await said.getByRole('button', { name: 'Decline' }).click()
    await said.getByLabel('Why is it right as it is?').fill('It is on the recording')
    await said.getByRole('button', { name: 'Send' }).first().click()
    await expect.poll(() => said.locator('blockquote').textContent()).toMatch(/declined.*It is on the recording/)
    await expect.poll(() => said.getByRole('button', { name: 'Decline' }).count()).toBe(0)
    expect(await asked('/api/v1/verdicts')).toMatchObject({ disputes: [], scores: { agreed: 1 } })
    await open('/key', 'What I hear')
    await expect.poll(() => page.locator('.sentences').first().textContent()).toContain('agent')
  })

  test('what was looked for and not heard is listed by its name, and may be said to be wrong', async () => {
    const { signals_absent: absent } = await asked<{ signals_absent: string[] }>(`/api/v1/calls/${worst.session_id}`)
    const { signals } = await asked<{ signals: { signal_key: string; display_name: string }[] }>(
      '/api/v1/signals?limit=200',
    )
    const { display_name: name } = signals.findLast(one => absent.includes(one.signal_key))!
    await goTo(page, `/calls/${worst.session_id}`)
    await page.getByText(`${absent.length} signals were looked for and not heard`).click()
    await page.getByRole('button', { name: `Wrong: ${name}`, exact: true }).click()
    expect(await axeFindings(page)).toEqual([])
    await page.getByLabel('What is wrong about').fill('It was said')
    await page.getByRole('button', { name: 'Send' }).first().click()
    const said = page.getByRole('region', { name: 'What people said' })
    await expect.poll(() => said.textContent()).toMatch(new RegExp(`${name}disputed.*It was said`))
    await said.getByRole('button', { name: 'Accept' }).click()
    await said.getByLabel('What follows from it?').fill('It is looked into')
    await said.getByRole('button', { name: 'Send' }).first().click()
    await expect.poll(() => said.textContent()).toMatch(/accepted.*It is looked into/)
  })

  test('what signed in with a key is listed under what it hears, and ended there', async () => {
    const { key } = await mint([worst.agent_name], true)
    const raw = rawClient(() => service.mcp_url)
    const { tokens } = await raw.connected(key)
    const own = await browser.newContext(CALM)
    const screen = await signedIn(own, at('/key'), key)
    const row = screen.getByRole('row', { name: /A client/ })
    await row.waitFor()
    expect(await row.textContent()).toContain('What its key hears')
    expect(await screen.getByText('No role: it reads, and says what it thinks of calls.').count()).toBe(1)
    expect(await axeFindings(screen)).toEqual([])
    await row.getByRole('button', { name: 'End A client' }).click()
    await screen.getByText('None so far.').waitFor()
    expect((await raw.ask(tokens.access_token)).status).toBe(401)
    await own.close()
  })

  test('the first page says what changed, and leads to the calls of the reason that was handled worst', async () => {
    await open('/', 'Last 7 days')
    const first = page.locator('.reasons a').first()
    const reason = await first.textContent()
    expect(await page.getByRole('img', { name: /^Calls a day: \d+, \d+,[\d, ]+$/ }).count()).toBe(1)
    const scores = await page.locator('.reasons b').allTextContents()
    expect(scores.map(Number)).toEqual(scores.map(Number).toSorted((a, b) => a - b))
    await first.click()
    await expect.poll(() => new URL(page.url()).searchParams.get('driver')).toBe(reason)
    await rows().first().waitFor()
  })

  test('two agents are told apart by their intervals, in an address that can be shared', async () => {
    await open('/agents?last=90', 'Agents')
    await page.locator('.rows').waitFor()
    const names = await page.locator('.rows tbody a').allTextContents()
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)))
    await page.getByLabel('One agent').selectOption(names[0]!)
    await page.getByLabel('Other agent').selectOption(names[1]!)
    await expect.poll(() => page.locator('.pair [role=status]').textContent()).toMatch(/beyond chance|told apart/)
    await page.reload()
    await expect.poll(() => page.locator('.pair [role=status]').textContent()).toContain(names[1]!)
  })

  test('calls, agents and changes are those of a team, where one is chosen', async () => {
    const { agents } = await asked<{ agents: { agent_name: string }[] }>('/api/v1/context')
    const team = agents.slice(0, 2).map(one => one.agent_name)
    const made = await fetch(at('/projects/demo/teams'), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.admin_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ team_id: 'north', name: 'The North', agents: team }),
    })
    expect(made.status).toBe(201)
    await load('/calls', 'Calls')
    await page.getByRole('button', { name: 'Add filter' }).press('Enter')
    await page.getByRole('button', { name: 'Team', exact: true }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'The North' }).press('Enter')
    await page.getByRole('button', { name: 'Team The North' }).waitFor()
    expect(new URL(page.url()).searchParams.get('team')).toBe('north')
    await expect
      .poll(async () => new Set(await page.locator('.call-row .agent').allTextContents()))
      .toEqual(new Set(team))
    await open('/agents?last=90', 'Agents')
    await page.getByLabel('Team').selectOption('The North')
    const named = page.locator('.rows tbody a')
    await expect.poll(async () => (await named.allTextContents()).toSorted()).toEqual(team.toSorted())
    await open('/changes?last=30', 'Changes')
    await page.getByLabel('Team').selectOption('The North')
    await expect.poll(() => page.locator('main').textContent()).toContain('both periods: 2.')
    expect(new URL(page.url()).searchParams.get('team')).toBe('north')
  })

  test('what an agent does well is heard in a click, at the turn that shows it', async () => {
    await open(`/agents/${encodeURIComponent(worst.agent_name)}?last=90`, worst.agent_name)
    const clip = page.locator('.clips a[href*="#turn-"]').first()
    const quote = await clip.textContent()
    await clip.click()
    await expect.poll(() => page.url()).toMatch(/\/calls\/\w+#turn-\d+$/)
    await expect.poll(() => page.locator('.turn.here').textContent()).toContain(quote?.slice(1, -1))
  })

  test('changes of a period say what would have been seen, whether something stands out or not', async () => {
    await open('/changes?last=30', 'Changes')
    await expect.poll(() => page.locator('main').textContent()).toContain('four times in five')
    expect(
      await page.evaluate<number>(
        'Math.max(0, ...[...document.querySelectorAll(".forest .number")].map(one => one.scrollWidth - one.clientWidth))',
      ),
    ).toBe(0)
  })

  test('a question is explored: a table, a picture where its shape allows, an address, and an error at its place', async () => {
    // Of its own: what is refused is told in the browser's log too.
    const shown = await context.newPage()
    await shown.goto(at('/explore'))
    await shown.getByRole('heading', { level: 1, name: 'Explore' }).waitFor()
    for (const [question, kind] of [
      ['Why do customers call', 'bars'],
      ['How many calls come in each day?', 'line'],
      ['When in the week', 'heat'],
      ['How are the scores spread?', 'bars'],
      ['Who handles which reason', 'heat'],
    ] as const) {
      const label = await shown.getByRole('option', { name: new RegExp(question) }).textContent()
      await shown.getByLabel('Begin with').selectOption({ label: label! })
      await expect.poll(() => shown.getByLabel('Show as').inputValue()).toBe(kind)
      await shown.locator('.drawing svg .mark').first().waitFor()
      expect(await shown.locator('.wide tbody tr').count()).toBeGreaterThan(3)
    }
    await shown.getByLabel('Begin with').selectOption('low')
    await shown.locator('.wide a').first().waitFor()
    const shared = shown.url()
    expect(shared).toContain('/explore#')
    // Nobody else is asked before somebody goes there.
    for (const [name, place] of [
      ['Claude', 'https://claude.ai/new?q='],
      ['ChatGPT', 'https://chatgpt.com/?q='],
      ['Cursor', 'cursor://anysphere.cursor-deeplink/prompt?text='],
    ] as const) {
      const address = (await shown.getByRole('link', { name }).getAttribute('href')) ?? ''
      expect(address.startsWith(place)).toBe(true)
      expect(decodeURIComponent(address.slice(place.length))).toMatch(/query_interactions[^]*"\$match"/)
    }
    const colleague = await context.newPage()
    await colleague.goto(shared)
    await colleague.locator('.wide a').first().waitFor()
    // Another link, in the tab that has the screen open: nothing but what is behind the # is another.
    await colleague.goto(at(`/explore#${encodeURIComponent('[{"$project":{"_id":0,"score":1}}]')}`))
    await expect.poll(() => colleague.getByLabel('Show as').inputValue()).toBe('histogram')
    expect(await colleague.getByLabel('Pipeline', { exact: true }).inputValue()).toContain('"score":1')
    await colleague.goBack()
    await colleague.locator('.wide a').first().click()
    await expect.poll(() => new URL(colleague.url()).pathname).toMatch(/^\/calls\/./)
    await colleague.close()
    const text = shown.getByLabel('Pipeline', { exact: true })
    // Names are completed as they are typed, by keys alone.
    const choices = shown.getByRole('listbox', { name: 'Names that fit' }).getByRole('option')
    await text.fill('')
    await text.pressSequentially('[{"$gr')
    await expect.poll(() => choices.allTextContents()).toEqual(['$group'])
    await text.press('Enter')
    await text.pressSequentially('{"_id": "$interaction_d')
    await expect.poll(async () => (await choices.allTextContents()).length).toBe(2)
    expect(await axeFindings(shown)).toEqual([])
    // Down, and from the last to the first.
    await text.press('ArrowDown')
    await text.press('ArrowDown')
    await text.press('Tab')
    await text.pressSequentially(', "calls": {"$su')
    await text.press('Enter')
    await text.pressSequentially('1}}}]')
    expect(await text.inputValue()).toBe('[{"$group": {"_id": "$interaction_driver", "calls": {"$sum": 1}}}]')
    await text.press('Control+Enter')
    await expect.poll(() => shown.locator('.wide thead').textContent()).toContain('calls')
    await text.fill('')
    await text.pressSequentially('[{"$ma')
    await text.press('Escape')
    expect(await choices.count()).toBe(0)
    await text.fill('[\n  {"$match": }\n]')
    await text.press('Control+Enter')
    await expect.poll(() => shown.getByRole('alert').textContent()).toContain('Line 2, column 14')
    await text.fill('[{"$lookup": {"from": "calls"}}]')
    await shown.getByRole('button', { name: 'Run' }).click()
    await expect.poll(() => shown.getByRole('alert').textContent()).toContain('$lookup')
    await text.fill('[{"$match": {"score": {"$gt": 4}}}, {"$count": "n"}]')
    await shown.getByRole('button', { name: 'Explain' }).click()
    await expect.poll(() => shown.locator('pre').textContent()).toContain('created_dt')
    // Without HTTPS a page has no clipboard: there is no button then that would do nothing.
    const copying = shown.getByRole('button', { name: 'Copy' })
    expect(await copying.count()).toBe(2)
    await shown.addInitScript('Object.defineProperty(globalThis, "isSecureContext", { value: false })')
    await shown.reload()
    await shown.getByRole('button', { name: 'Explain' }).waitFor()
    expect(await copying.count()).toBe(0)
    await goTo(shown, `/calls/${worst.session_id}`)
    await shown.locator('.transcript').waitFor()
    expect(await copying.count()).toBe(0)
    await shown.close()
  })

  test('a call stands beside the best of its reason', async () => {
    await goTo(page, `/calls/${worst.session_id}`)
    await page.getByRole('button', { name: 'Compare with the best such call' }).click()
    await page.locator('.compared').waitFor()
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('a')).toBe(worst.session_id)
    expect(searchParams.get('b')).not.toBe(worst.session_id)
    // What is to work on is told from what was heard, and each call by when it was.
    const found = page.locator('.evidence > li')
    expect(await found.locator('.tag').allTextContents()).toHaveLength(await found.count())
    expect(new Set(await found.locator('.tag').allTextContents())).toEqual(
      new Set(['signal', 'done well', 'to work on']),
    )
    const [, ...heads] = await page.locator('.compared thead th').allTextContents()
    expect(heads).toEqual([
      expect.stringMatching(/\d\d:\d\d$/),
      expect.stringMatching(/\d\d:\d\d$/),
      'Second less first',
    ])
  })

  test('a folder that is dropped is tried without writing anything, and imported when that was seen', async () => {
    const folder = join(scratch, 'drop')
    mkdirSync(folder)
    const unknown = {
      who: 'Ann Lee',
      began: '2026-03-01T10:00:00Z',
      conversation: [{ speaker: 'agent', words: 'Hello' }],
    }
    writeFileSync(join(folder, 'bad.json'), JSON.stringify(unknown))
    writeFileSync(
      join(folder, 'good.jsonl'),
      `${JSON.stringify({ session_id: 'dropped', agent_name: 'Zoe', created_dt: '2026-01-05T10:00:00Z' })}\n`,
    )
    await open('/import', 'Import calls')
    await page.locator('.drop').waitFor()
    await dropFile(page, folder, '.drop')
    await expect.poll(() => page.locator('main').textContent()).toContain('1 call would be imported, 1 refused.')
    // What is refused is told apart, with its place: its own fields make a mapping.
    await expect.poll(() => page.locator('.import-why').first().textContent()).toContain('session_id is missing: ')
    await expect.poll(() => page.locator('.imported code').textContent()).toContain('created_dt=began')
    const isThere = async () => (await asked<{ code?: string }>('/api/v1/calls/dropped')).code === undefined
    expect(await isThere()).toBe(false)
    await page.getByRole('button', { name: 'Import 1 file' }).click()
    await expect.poll(() => page.locator('main').textContent()).toContain('1 call was imported')
    expect(await isThere()).toBe(true)
  })

  test('a table whose columns are called otherwise is read by the mapping that the page is given', async () => {
    const table = join(scratch, 'calls.csv')
    writeFileSync(table, 'Ref,Agent,Started At,Direction,Duration_s\nr-1,Zoe,2026-01-05T10:00:00Z,inbound,10\n')
    await load('/import', 'Import calls')
    await page.locator('.drop').waitFor()
    await dropFile(page, table, '.drop')
    await expect.poll(() => page.locator('main').textContent()).toContain('map="session_id=COLUMN"')
    await page.getByText('What the files do not say').click()
    await page.getByLabel('Where fields come from').fill('session_id=Ref')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Try again with this' }).click()
    await expect.poll(() => page.locator('main').textContent()).toContain('1 call would be imported, 0 refused.')
  })

  test('a page whose service takes its time says that it waits', async () => {
    let answer = () => {}
    const answered = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('**/api/v1/context', async route => {
      await answered
      await route.continue()
    })
    await page.goto(at('/key'))
    await expect.poll(() => page.getByRole('main').getByRole('status', { name: 'Loading' }).count()).toBe(1)
    answer()
    await headed('What I hear')
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('an address where there is nothing is said to be so, with a way back', async () => {
    const answer = await page.goto(at('/call/nothing'))
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.getByRole('link', { name: 'Show all calls' }).click()
    await rows().first().waitFor()
  })

  test('a key whose agents have no calls is not told to import some', async () => {
    const { key } = await mint(['Nobody Yet'], true)
    const own = await browser.newContext(CALM)
    const shown = await signedIn(own, at('/'), key)
    for (const path of ['/', '/calls']) {
      if (path !== '/') await goTo(shown, path)
      await shown.getByRole('heading', { name: 'There are no calls among those you may hear' }).waitFor()
      expect(await shown.locator('.note').textContent()).not.toContain('earshot import')
    }
    await shown.locator('.note').getByRole('link', { name: 'What I hear' }).click()
    await shown.getByRole('heading', { name: 'What I hear' }).waitFor()
    await own.close()
  })

  test('who may import is led from an empty project to where it is done', async () => {
    await page.route('**/api/v1/context', async route => {
      const response = await route.fetch()
      const context = (await response.json()) as { volume: object }
      await route.fulfill({ response, json: { ...context, volume: { ...context.volume, calls: 0 } } })
    })
    await page.goto(at('/'))
    await page.getByRole('link', { name: 'Import calls' }).click()
    await headed('Import calls')
    expect(await page.locator('.drop').count()).toBe(1)
    await page.unrouteAll({ behavior: 'wait' })
    await page.reload()
    await headed('Import calls')
  })

  test('periods that can’t be compared are not said to be the same', async () => {
    await open('/changes?period=2020-03', 'Changes')
    await page.getByRole('heading', { name: 'Nothing could be compared' }).waitFor()
    expect(await page.locator('main').textContent()).not.toMatch(/Nothing stands out|An empty list is news/)
  })

  test('a row of calls ends within its panel at any width', async () => {
    await open('/calls', 'Calls')
    await rows().first().waitFor()
    for (const width of [650, 720, 870, 1000, 1110, 1280]) {
      await page.setViewportSize({ width, height: 720 })
      await rows().first().waitFor()
      const ends = await page.evaluate<readonly [number, number]>(
        `[document.querySelector('.call-row .length'), document.querySelector('.calls')].map(one => one.getBoundingClientRect().right)`,
      )
      expect([width, ends[0] <= ends[1] - 12]).toEqual([width, true])
      // What a call was about is what a list is read for.
      const title = await page.evaluate<number>(`document.querySelector('.call-row .title').clientWidth`)
      expect([width, title >= 108]).toEqual([width, true])
    }
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  test('a call that is not there is no error', async () => {
    await goTo(page, '/calls/nothing')
    await expect.poll(() => page.locator('main h2').textContent()).toBe('This call is not among those you may hear')
  })

  // Each screen is come to by its address, or by another screen: in the suite the one or the other.
  test.each(isWhole ? ([0, 1] as const) : ([0] as const))(
    'axe finds nothing, nothing is too wide: light and 1360 px, dark and 360 px (%i)',
    async turn => {
      const wide = { width: 1360, height: 800 }
      const own = await browser.newContext({ ...CALM, colorScheme: 'light', viewport: wide })
      const shown = await own.newPage()
      const seen = watchFaults(shown)
      const wrong: string[] = []
      /** All that axe knows where it is light and wide; and what is another in other colours, or where there is less room. */
      const look = async (screen: Page, path: string) => {
        for (const [colorScheme, size, rules] of [
          ['light', wide, undefined],
          ['dark', { width: 360, height: 800 }, isWhole ? undefined : OF_COLOUR_AND_ROOM],
        ] as const) {
          await screen.emulateMedia({ colorScheme })
          await screen.setViewportSize(size)
          wrong.push(...(await axeFindings(screen, rules)).map(one => `${path} ${colorScheme} ${one}`))
          const beyond = await overflow(screen)
          if (beyond > 0) wrong.push(`${path} is ${beyond} px too wide at ${size.width}`)
        }
      }
      await shown.goto(at('/sign-in'))
      await shown.getByLabel('Application key').waitFor()
      await look(shown, '/sign-in')
      await shown.close()
      const inside = await signedIn(own, at('/calls'), service.application_key)
      const within = watchFaults(inside)
      for (const [i, [path, ready]] of SCREENS.entries()) {
        await (i % 2 === turn ? inside.goto(at(addressOf(path))) : goTo(inside, addressOf(path)))
        await inside.locator(ready).first().waitFor()
        await look(inside, path)
      }
      expect([...wrong, ...seen, ...within]).toEqual([])
      await own.close()
    },
  )

  test.each([
    ['one agent', true],
    ['nobody', false],
  ] as const)('a key of %s finds nothing of others in what the page shows, asks or keeps', async (_, isOne) => {
    const { key } = await mint(isOne ? [worst.agent_name] : [], true)
    const { agents } = await asked<{ agents: { agent_name: string }[] }>('/api/v1/context')
    const others = agents.map(one => one.agent_name).filter(name => !isOne || name !== worst.agent_name)
    const own = await browser.newContext(CALM)
    const seen: string[] = []
    // Read on its way: the browser forgets it when the page moves on.
    await own.route('**/api/**', async route => {
      const response = await route.fetch()
      seen.push(await response.text())
      // Of a page that is gone by now nobody waits for it.
      await route.fulfill({ response }).catch(() => {})
    })
    const shown = await signedIn(own, at('/calls'), key)
    for (const [path, ready] of SCREENS) {
      // A name in the address would be of whoever wrote it there.
      if (!isOne && path.includes(':')) continue
      await goTo(shown, addressOf(path))
      await shown
        .locator(isOne ? ready : '.main h1, .main .note')
        .first()
        .waitFor()
      seen.push(await shown.content())
    }
    await own.unrouteAll({ behavior: 'wait' })
    const all = seen.join('\n')
    expect(all.includes(worst.agent_name)).toBe(isOne)
    expect(others.filter(name => all.includes(name))).toEqual([])
    await own.close()
  })

  test('calls that come in are told of where they belong, and taken when asked', async () => {
    const { calls } = await asked<{ calls: { date: string }[] }>('/api/v1/calls?limit=1')
    const day = new Date(Date.parse(calls[0]!.date) - 24 * 3_600_000).toISOString()
    const narrow = { ...CALM, viewport: { width: 360, height: 800 }, colorScheme: 'dark' } as const
    const [own, other] = await Promise.all([browser.newContext(narrow), browser.newContext(CALM)])
    const [first, list] = await Promise.all(
      [other, own].map(async one => await signedIn(one, at('/key'), service.application_key)),
    )
    const screens = [
      [first!, '/', ['2 new calls']],
      [await other.newPage(), '/agents/:agent?last=90', ['2 new calls']],
      [await other.newPage(), '/changes?last=30', ['2 new calls']],
      [list!, '/calls?agent_name=:agent&driver=arrival', ['2 new calls']],
      [await own.newPage(), '/calls?agent_name=Nobody', []],
    ] as const
    const opened = screens.map(async ([shown, path]) => {
      const told = shown.waitForResponse(response => response.url().includes('/console/live'))
      await shown.goto(at(addressOf(path)))
      return (await told).status()
    })
    expect(new Set(await Promise.all(opened))).toEqual(new Set([200]))
    const arrived = [1, 2].map(i => ({
      session_id: `arrived-${i}`,
      agent_name: worst.agent_name,
      created_dt: day,
      interaction_driver: 'arrival',
      title: `Arrived ${i}`,
    }))
    const sent = await fetch(at('/api/v1/interactions'), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.application_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(arrived),
    })
    expect(sent.ok).toBe(true)
    const fresh = (shown: Page) => shown.getByRole('button', { name: /new calls?$/ })
    for (const [shown, path, told] of screens)
      await expect.poll(async () => [path, ...(await fresh(shown).allTextContents())]).toEqual([path, ...told])
    // A browser has six connections to a host: a page beyond those that are told can still ask.
    const last = await other.newPage()
    await last.goto(at('/calls'))
    await last.locator('.call-row').first().waitFor()
    expect(await list!.getByText('Arrived 1').count()).toBe(0)
    expect(await axeFindings(list!)).toEqual([])
    expect(await overflow(list!)).toBe(0)
    await fresh(list!).press('Enter')
    await list!.getByText('Arrived 1').waitFor()
    await fresh(list!).waitFor({ state: 'detached' })
    await expect.poll(() => list!.evaluate('document.activeElement.id')).toBe('content')
    await fresh(first!).click()
    await fresh(first!).waitFor({ state: 'detached' })
    await Promise.all([own.close(), other.close()])
  })

  test('new calls are taken in a list of several pages too, however far it was scrolled', async () => {
    await load('/calls', 'Calls')
    await expect
      .poll(async () => {
        await page.evaluate('scrollTo(0, document.body.scrollHeight)')
        return await page.locator('[data-row="149"]').count()
      })
      .toBe(1)
    const { calls } = await asked<{ calls: { date: string }[] }>('/api/v1/calls?limit=1')
    const sent = await fetch(at('/api/v1/interactions'), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.application_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        session_id: 'newest',
        agent_name: worst.agent_name,
        created_dt: calls[0]!.date,
        title: 'The newest call',
      }),
    })
    expect(sent.ok).toBe(true)
    const fresh = page.getByRole('button', { name: '1 new call' })
    await fresh.click()
    await page.getByText('The newest call').waitFor()
    await fresh.waitFor({ state: 'detached' })
  })

  test('a key that is revoked ends what is open, and signing out leaves nothing', async () => {
    const { key, key_id: id } = await mint([worst.agent_name], true)
    const own = await browser.newContext(CALM)
    const shown = await signedIn(own, at('/calls'), key)
    await shown.locator('.call-row').first().waitFor()
    await shown.getByLabel('Sort').selectOption('score_asc')
    await fetch(at(`/projects/demo/mcp-keys/${id}`), {
      method: 'DELETE',
      headers: { authorization: `Bearer ${service.admin_token}` },
    })
    // Whoever asks nothing more hears of it too: by what is being asked, or by what stays open to tell of new calls.
    await shown.getByLabel('Application key').waitFor()
    expect(await shown.locator('.call-row').count()).toBe(0)
    expect(await shown.getByRole('alert').textContent()).toContain('Your session ended')
    await shown.getByLabel('Application key').fill(service.application_key)
    await shown.getByRole('button', { name: 'Sign in' }).click()
    // Where they were.
    await shown.locator('.call-row').first().waitFor()
    expect(new URL(shown.url()).searchParams.get('sort')).toBe('score_asc')
    await own.setOffline(true)
    // A screen that was not open before has files to load.
    await shown.getByRole('link', { name: 'Changes' }).click()
    await expect.poll(() => shown.getByRole('alert').textContent()).toContain('The service does not answer')
    await shown.getByRole('button', { name: 'Sign out' }).click()
    await shown.getByText('You are still signed in. The service does not answer.').waitFor()
    await own.setOffline(false)
    await shown.getByRole('button', { name: 'Try again' }).click()
    await shown.getByRole('heading', { level: 1, name: 'Changes' }).waitFor()
    await shown.getByRole('button', { name: 'Sign out' }).click()
    await shown.getByLabel('Application key').waitFor()
    expect(await shown.getByRole('alert').count()).toBe(0)
    expect(await own.cookies()).toEqual([])
    await own.close()
  })

  test('an administrator signs in with a token, which the page forgets, and may import', async () => {
    const own = await browser.newContext(CALM)
    const door = await own.newPage()
    const seen = watchFaults(door)
    await door.goto(at('/key'))
    const given = door.getByLabel('Application key or admin token')
    await given.fill(`${service.admin_token}x`)
    await door.getByLabel('Project, if the token names none').fill('demo')
    await door.keyboard.press('Enter')
    await expect.poll(() => door.getByRole('alert').textContent()).toContain('This admin token is not accepted')
    expect(await axeFindings(door)).toEqual([])
    await given.fill(service.admin_token)
    await door.keyboard.press('Enter')
    await expect
      .poll(() => door.locator('.panel').first().textContent())
      .toContain('This session is an administrator’s')
    expect(await door.locator('.panel').first().textContent()).not.toContain('key')
    expect(await door.content()).not.toContain(service.admin_token)
    expect(await door.evaluate('JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])')).toBe(
      '[{},{},""]',
    )
    expect(await axeFindings(door)).toEqual([])
    await door.getByRole('link', { name: 'Import' }).click()
    await door.locator('.drop').waitFor()

    // What is set up, what became of it, and what can be done about it.
    const headers = {
      authorization: `Bearer ${service.admin_token}`,
      'content-type': 'application/json',
      'x-project-id': 'demo',
    }
    for (const [path, body] of [
      ['/api/v1/tasks', { name: 'New calls', kind: 'evaluate_pending', schedule: '0 3 * * *' }],
      ['/api/v1/alerts', { name: 'Poor', condition: { kind: 'score_below', threshold: 2 } }],
      ['/api/v1/webhooks', { url: 'https://hooks.example.com/earshot', events: ['key.minted'] }],
    ] as const) {
      expect((await fetch(at(path), { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(201)
    }
    await door.getByRole('link', { name: 'Settings' }).click()
    const parts = door.getByRole('navigation', { name: 'Parts of the settings' })
    const form = door.locator('details')
    // Only of the part that was gone to: the one before goes when this one is there.
    const openForm = async (part: string, press: () => Promise<void>) => {
      await door.getByRole('table', { name: part }).waitFor()
      await press()
      await form.getByLabel('Name').waitFor()
    }
    await openForm('Keys', () => form.locator('summary').press('Enter'))
    await form.getByLabel('Name').fill('Team lead')
    const agents = form.getByLabel('Agents it hears')
    await agents.fill(`${worst.agent_name}x`)
    await agents.press('Tab')
    await form.getByText(`No call is of “${worst.agent_name}x” so far. Did you mean ${worst.agent_name}?`).waitFor()
    await agents.fill(worst.agent_name)
    await agents.press('Tab')
    await form.getByText('No call is of').waitFor({ state: 'detached' })
    await form.getByLabel('It changes nothing').check()
    await form.getByLabel('Requests a minute').fill('0')
    expect(await axeFindings(door)).toEqual([])
    await form.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => form.getByRole('alert').textContent()).toContain('what is marked')
    expect(await form.textContent()).toContain('Must be between 1 and 100000, not 0')
    expect(await door.evaluate('document.activeElement.name')).toBe('requests_per_minute')
    expect(await form.textContent()).not.toContain('requests_per_minute')
    expect(await axeFindings(door)).toEqual([])
    await form.getByLabel('Requests a minute').fill('90')
    await form.getByRole('button', { name: 'Save' }).click()
    const key = (await door.locator('.secret').textContent()) ?? ''
    const asking = async () =>
      (await fetch(at('/api/v1/signals?limit=1'), { headers: { authorization: `Bearer ${key}` } })).status
    // More than a page of the audit trail.
    for (let i = 0; i < 50; i++) expect(await asking()).toBe(200)
    expect(await axeFindings(door)).toEqual([])
    await door.getByRole('button', { name: 'I have kept it' }).click()
    const made = door.getByRole('row', { name: /Team lead/ })
    await expect
      .poll(() => made.textContent())
      .toMatch(new RegExp(`${worst.agent_name}.*It changes nothing; Requests a minute: 90`))
    expect(await door.content()).not.toContain(key)
    await made.getByRole('button', { name: 'Change' }).press('Enter')
    const changing = door.getByRole('form', { name: 'Change Team lead' })
    await changing.getByRole('button', { name: 'Save' }).press('Enter')
    await changing.getByText('Nothing is different').waitFor()
    await changing.getByLabel('Requests a minute · empty: no bound').fill('')
    await changing.getByLabel('Questions a day').fill('500')
    await changing.getByLabel('Supervisor', { exact: true }).check()
    expect(await axeFindings(door)).toEqual([])
    const [sent] = await Promise.all([
      door.waitForRequest(request => request.method() === 'PATCH'),
      changing.getByRole('button', { name: 'Save' }).press('Enter'),
    ])
    expect(sent.postDataJSON()).toEqual({ roles: ['Supervisor'], requests_per_minute: null, questions_per_day: 500 })
    await expect.poll(() => made.first().textContent()).toMatch(/Supervisor.*It changes nothing; Questions a day: 500/)
    await expect.poll(() => door.evaluate('document.activeElement.textContent')).toBe('Save')
    await made.first().getByRole('button', { name: 'Less' }).press('Enter')
    await changing.waitFor({ state: 'detached' })
    await made.getByRole('button', { name: 'Rotate' }).press('Enter')
    await door.getByRole('dialog').getByRole('button', { name: 'Rotate' }).press('Enter')
    const anew = (await door.locator('.secret').textContent()) ?? ''
    expect(anew).toMatch(/^esk_/)
    expect(anew).not.toBe(key)
    await door.getByRole('button', { name: 'I have kept it' }).press('Enter')
    await made.nth(1).getByRole('button', { name: 'End' }).click()
    await door.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await made.nth(1).waitFor({ state: 'detached' })
    await door.getByText(/Team lead \(esk_.*\), of the same rotation, is still accepted until/).waitFor()
    await made.getByRole('button', { name: 'End' }).click()
    await door.getByRole('dialog').getByRole('button', { name: 'Keep it' }).press('Escape')
    await door.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await door.evaluate('document.activeElement.textContent')).toBe('End')
    expect(await asking()).toBe(200)
    await made.getByRole('button', { name: 'End' }).click()
    await door.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await made.waitFor({ state: 'detached' })
    expect(await door.evaluate('document.activeElement.tagName')).toBe('TABLE')
    expect(await asking()).toBe(401)
    await parts.getByRole('link', { name: 'Audit trail' }).click()
    const trail = door.getByRole('table', { name: 'Audit trail' }).locator('tbody tr')
    await expect.poll(() => trail.count()).toBe(50)
    await door.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => trail.count()).toBeGreaterThan(50)
    expect(await trail.first().textContent()).toContain('Team leadGET /api/v1/signalsok')
    await expect.poll(() => door.getByRole('table', { name: 'Who asked' }).textContent()).toMatch(/Team lead\d+/)
    const lead = door.getByRole('table', { name: 'Who asked' }).getByRole('row', { name: /^Team lead/ })
    await lead.first().getByRole('button', { name: 'More' }).press('Enter')
    const ofLead = door.getByRole('table', { name: 'What Team lead asked for' })
    await expect.poll(() => ofLead.textContent()).toMatch(/GET \/api\/v1\/signals5\d$/)
    const single = door.getByRole('table', { name: 'Single requests of Team lead' }).locator('tbody tr')
    await expect.poll(() => single.count()).toBe(50)
    await door.getByRole('button', { name: 'Show more' }).first().press('Enter')
    await expect.poll(() => single.count()).toBeGreaterThan(50)
    expect(await single.last().textContent()).toContain('GET /api/v1/signalsok')
    expect(await axeFindings(door)).toEqual([])
    await door.getByLabel('To').fill('2020-01-01')
    await expect.poll(() => door.locator('main').textContent()).toContain('Nobody asked anything in these days')
    // A team that is made is there for keys to name, and for pages to choose by.
    await parts.getByRole('link', { name: 'Teams' }).press('Enter')
    await form.getByText('New team').press('Enter')
    await form.getByLabel('Id').fill('north-console')
    await form.getByLabel('Name', { exact: true }).fill('Team North')
    await form.getByRole('button', { name: 'Save' }).press('Enter')
    const team = door.getByRole('row', { name: /^Team North north-console/ }).first()
    await expect.poll(() => team.textContent()).toContain('nobody')
    await team.getByRole('button', { name: 'Change' }).press('Enter')
    const changed = door.getByRole('form', { name: 'Change Team North' })
    await changed.getByLabel('Agents').fill(worst.agent_name)
    await changed.getByRole('button', { name: 'Save' }).press('Enter')
    await expect.poll(() => team.textContent()).toContain(worst.agent_name)
    expect(await axeFindings(door)).toEqual([])
    await goTo(door, '/agents')
    await door.getByLabel('Team').selectOption('north-console')
    await goTo(door, '/settings?part=teams')
    await team.getByRole('button', { name: 'Remove' }).press('Enter')
    await door.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await team.waitFor({ state: 'detached' })
    await parts.getByRole('link', { name: 'Alerts' }).click()
    await openForm('Alerts', () => form.locator('summary').click())
    await form.getByLabel('Name').fill('Very poor')
    await form.getByLabel('Condition').fill('{kind')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => form.textContent()).toContain('No JSON: ')
    await form.getByLabel('Condition').fill('{"kind": "score_below", "threshold": 1.5}')
    await form.getByRole('button', { name: 'Save' }).click()
    await door.getByRole('row', { name: /Very poor/ }).waitFor()
    await parts.getByRole('link', { name: 'Tasks' }).click()
    const task = door.getByRole('row', { name: /New calls/ })
    await task.getByRole('button', { name: 'Run now' }).click()
    await task.getByRole('button', { name: 'More' }).click()
    await expect.poll(() => door.getByRole('table', { name: 'Last runs' }).textContent()).toMatch(/ok/)
    await task.getByRole('button', { name: 'Turn off' }).click()
    await task.getByRole('button', { name: 'Turn on' }).waitFor()
    expect(await axeFindings(door)).toEqual([])
    for (const [part, text] of [
      ['Webhooks', 'https://hooks.example.com/earshot'],
      ['Alerts', 'score_below, threshold 2'],
      ['Documents', 'Lost and stolen cards'],
      ['Health', 'ok'],
      ['Keys', 'the full project'],
    ] as const) {
      await parts.getByRole('link', { name: part }).click()
      await expect.poll(() => door.getByRole('table', { name: part }).textContent()).toContain(text)
      expect(await axeFindings(door)).toEqual([])
    }
    await door.setViewportSize({ width: 360, height: 740 })
    await door.emulateMedia({ colorScheme: 'dark' })
    await form.locator('summary').click()
    expect(await door.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(await axeFindings(door)).toEqual([])
    await door.reload()
    const opened = door.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' })
    await expect
      .poll(async () => {
        const { x = 0, width = 0 } = (await opened.boundingBox()) ?? {}
        return x >= 0 && width > 0 && x + width <= 360
      })
      .toBe(true)
    await door.getByRole('button', { name: 'Sign out' }).click()
    await given.waitFor()
    expect(await own.cookies()).toEqual([])
    expect(seen).toEqual([])
    await own.close()
  })

  test('what waits for a second administrator is read and confirmed by one, and had done by who asked', async () => {
    const bob = ['admin-token', '--subject', 'bob', '--role', 'Admin', '--project', 'demo']
    const second = (await runEarshot([...bob, '--data-dir', join(scratch, 'data')])).stdout.trim()
    const asking = await browser.newContext(CALM)
    const asker = await signedIn(asking, at('/settings'), service.admin_token)
    const seen = [watchFaults(asker)]
    await asker.locator('summary').click()
    await asker.getByLabel('Name').fill('Everything')
    await asker.getByLabel('Without agents and teams it hears nobody').uncheck()
    await asker.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => asker.getByRole('alert').textContent()).toContain('This is not done yet')
    expect(await axeFindings(asker)).toEqual([])
    // Whoever asked is told why they can't confirm it, and is offered no way to.
    await asker.getByRole('link', { name: 'See it under Approvals' }).press('Enter')
    const own = asker.getByRole('region', { name: 'New key: Everything' })
    await expect
      .poll(() => own.textContent())
      .toMatch(/Hearsthe full project[^]*You asked for this, so you can’t confirm it/)
    expect(await own.getByRole('button').allTextContents()).toEqual(['Take it back'])

    const confirming = await browser.newContext({ ...CALM, colorScheme: 'dark', viewport: { width: 320, height: 740 } })
    const confirmer = await signedIn(confirming, at('/settings'), second)
    seen.push(watchFaults(confirmer))
    await confirmer.getByRole('link', { name: 'Approvals (1)' }).press('Enter')
    await confirmer.getByRole('button', { name: 'Read it' }).press('Enter')
    const read = confirmer.getByRole('region', { name: 'New key: Everything' })
    await expect.poll(() => read.textContent()).toContain('"require_mapping": false')
    expect(await confirmer.locator('.panel').textContent()).toMatch(/demo.*\(UTC\).*waits for your word/)
    expect(await overflow(confirmer)).toBe(0)
    expect(await axeFindings(confirmer)).toEqual([])
    await read.getByRole('button', { name: 'Confirm' }).press('Enter')
    await expect.poll(() => read.textContent()).toContain('It is confirmed: demo can have it done')
    expect(await confirmer.evaluate('document.activeElement.tagName')).toBe('SECTION')

    await asker.reload()
    await own.getByRole('button', { name: 'Have it done' }).press('Enter')
    await asker.getByRole('dialog').getByRole('button', { name: 'Have it done' }).press('Enter')
    expect(await asker.locator('.secret').textContent()).toMatch(/^esk_/)
    await asker.getByText('Done. New key: Everything').waitFor()
    await asker.getByText('Nothing waits').waitFor()

    // An export is saved as a file by who asked for it, wherever that was.
    const asked = (method: string, path: string, token: string) =>
      fetch(at(path), { method, headers: { authorization: `Bearer ${token}`, 'x-project-id': 'demo' } })
    for (const [path, name, said] of [
      ['/api/v1/export?text=none', 'calls.ndjson', '{"'],
      ['/api/v1/export/tables/calls?format=csv', 'calls.csv', 'session_id'],
    ] as const) {
      /* oxlint-disable no-await-in-loop -- one export after the other */
      const waits = (await (await asked('GET', path, service.admin_token)).json()) as { approval_id: string }
      await asked('POST', `/projects/demo/approvals/${waits.approval_id}/confirm`, second)
      await asker.getByRole('button', { name: 'Read it' }).press('Enter')
      await asker.getByRole('button', { name: 'Have it done' }).press('Enter')
      const [download] = await Promise.all([
        asker.waitForEvent('download'),
        asker.getByRole('dialog').getByRole('button', { name: 'Have it done' }).press('Enter'),
      ])
      expect(download.suggestedFilename()).toBe(name)
      expect(readFileSync(await download.path(), 'utf8').slice(0, said.length)).toBe(said)
      await asker.getByText('Nothing waits').waitFor()
      /* oxlint-enable no-await-in-loop */
    }
    expect(seen).toEqual([[], []])
    await Promise.all([asking.close(), confirming.close()])
  })

  test.runIf(isWhole)('an administrator changes the rubric, and sees what moves before it is set', async () => {
    const said = await fetch(at(`/api/v1/interactions/${worst.session_id}/feedback`), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.application_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        about: 'signal',
        signal_key: 'sig.greeting_given',
        verdict: 'dispute',
        text: 'It was said.',
      }),
    })
    expect(said.status).toBe(201)
    const own = await browser.newContext(CALM)
    const door = await own.newPage()
    const seen = watchFaults(door)
    await door.goto(at('/rubric'))
    await door.getByLabel('Application key or admin token').fill(service.admin_token)
    await door.keyboard.press('Enter')
    await door.getByRole('link', { name: 'Rubric' }).waitFor()
    const greeting = door.getByRole('row', { name: /Greeting given/ })
    await expect.poll(() => greeting.textContent()).toContain('1 dispute')
    await greeting.getByRole('button', { name: 'More' }).press('Enter')
    expect(await door.locator('.evidence').textContent()).toContain(`${worst.agent_name}, disputed by`)
    await door.getByLabel('New phrase for greeting', { exact: true }).fill('ahoy there')
    await door.keyboard.press('Enter')
    await door.getByRole('button', { name: 'Take out: howdy' }).press('Enter')
    await door.getByLabel('On: Company named').uncheck()
    await door.getByLabel('Weight: Opening').fill('-1')
    const status = door.getByRole('region', { name: 'What is to be different' }).getByRole('status')
    await expect.poll(() => status.textContent()).toBe('4 changes')
    // What is not saved is not left by the way.
    await door.getByRole('link', { name: 'Agents' }).click()
    const leaving = door.getByRole('dialog')
    await expect.poll(() => leaving.textContent()).toContain('What you changed is not saved')
    expect(await axeFindings(door)).toEqual([])
    await leaving.getByRole('button', { name: 'Stay here' }).click()
    await leaving.waitFor({ state: 'detached' })
    expect(new URL(door.url()).pathname).toBe('/rubric')
    const [unloading] = await Promise.all([door.waitForEvent('dialog'), door.close({ runBeforeUnload: true })])
    expect(unloading.type()).toBe('beforeunload')
    await unloading.dismiss()
    expect(await status.textContent()).toBe('4 changes')
    const attempt = door.getByRole('button', { name: 'Try on 50 calls' })
    await attempt.click()
    await expect.poll(() => door.getByRole('alert').textContent()).toContain('dimensions.0.weight')
    await door.getByLabel('Weight: Opening').fill('60')
    await attempt.click()
    const moving = door.getByRole('table', { name: 'Calls that move' })
    await expect.poll(() => moving.textContent()).toContain('Company named')
    expect(await axeFindings(door)).toEqual([])
    // What can't be asked anew takes nothing away of what is shown.
    await door.route('**/api/v1/context*', async route => {
      await route.fulfill({ status: 429, json: { error: 'Too many requests', code: 'rate_limited' } })
    })
    const asking = door.waitForResponse('**/api/v1/context*')
    await door.getByRole('button', { name: 'Save' }).click()
    expect((await asking).status()).toBe(429)
    await expect.poll(() => door.locator('main').textContent()).toContain('Saved as project-1')
    await door.unrouteAll({ behavior: 'wait' })
    await door.getByRole('button', { name: 'project-1' }).click()
    const text = door.getByLabel('The rubric as YAML or JSON')
    await expect.poll(() => text.inputValue()).toMatch(/extends: support-calls[^]*- ahoy there[^]*- howdy/)
    await door.getByRole('button', { name: 'built-in' }).click()
    await expect.poll(() => text.inputValue()).not.toContain('ahoy there')
    expect(await text.inputValue()).toContain('extends: support-calls')
    await door.setViewportSize({ width: 360, height: 740 })
    await door.emulateMedia({ colorScheme: 'dark' })
    expect(await overflow(door)).toBe(0)
    expect(await axeFindings(door)).toEqual([])
    await door.getByRole('button', { name: 'Leave it as it is' }).click()
    await greeting.waitFor()
    expect(await door.getByLabel('On: Company named').isChecked()).toBe(false)
    expect(await overflow(door)).toBe(0)
    expect(seen).toEqual([])
    await own.close()
    await goTo(page, '/rubric')
    await expect.poll(() => page.locator('main').textContent()).toContain('for administrators')
    expect(await page.getByRole('link', { name: 'Rubric' }).count()).toBe(0)
  })

  test('who is no administrator is shown no settings, and the address says whose they are', async () => {
    await goTo(page, '/settings')
    await expect.poll(() => page.locator('main').textContent()).toContain('for administrators')
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
  })

  test('two agents of one name stand on its page both, each by its id', async () => {
    const { calls } = await asked<{ calls: { date: string }[] }>('/api/v1/calls?limit=1')
    const twins = ['sam-north', 'sam-south'].map(agent_id => ({
      session_id: `of-${agent_id}`,
      agent_id,
      agent_name: 'Sam Twin',
      created_dt: new Date(Date.parse(calls[0]!.date) - 24 * 3_600_000).toISOString(),
      score: 3,
    }))
    const sent = await fetch(at('/api/v1/interactions'), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.application_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(twins),
    })
    expect(sent.ok).toBe(true)
    await open('/agents/Sam%20Twin?last=90', 'Sam Twin')
    await page.getByRole('heading', { name: 'sam-south' }).waitFor()
    expect(await page.locator('main h2').allTextContents()).toEqual(expect.arrayContaining(['sam-north', 'sam-south']))
    expect(await page.locator('.lead').textContent()).toMatch(/^2 calls, /)
    await load('/agents?last=90', 'Agents')
    const few = page.getByRole('region', { name: 'Too few calls to compare' })
    await expect.poll(() => few.textContent()).toMatch(/Sam Twin sam-north · n 1.*Sam Twin sam-south · n 1/)
    await open('/agents/Sam%20Nobody?last=90', 'Sam Nobody')
    await page.getByText('There are no calls of Sam Nobody').waitFor()
    expect(await page.locator('.lead').textContent()).toBe('UTC')
  })

  test('what calls say is text, whatever it is', async () => {
    const hostile = '<img src=x onerror=alert(1)><script>alert(1)</script>{{constructor}}‮ javascript:alert(1)'
    const call = {
      session_id: 'hostile',
      agent_name: hostile.slice(0, 60),
      created_dt: '2026-01-01T00:00:00Z',
      title: hostile,
      interaction_driver: hostile,
      customer_display_name: hostile,
      coaching_summary: hostile,
      transcript: [{ turn: 0, actor: 'customer', text: hostile }],
      signals: [{ key: 'sig.x', state: 'present', evidence: [{ turn: 0, quote: hostile }] }],
      guidance: [{ key: 'guide.x', kind: 'opportunity', text: hostile, evidence: [{ turn: 0, quote: hostile }] }],
      scores: [{ key: 'x', display_name: hostile, value: 2 }],
      trust: { level: 'low', reasons: [hostile] },
      score: 2,
      evaluation: {
        evaluator: hostile,
        rubric: hostile,
        rubric_version: hostile,
        evaluated_at: '2026-01-01T00:00:00Z',
      },
    }
    const sent = await fetch(at('/api/v1/interactions'), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.application_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    expect(sent.ok).toBe(true)
    const dialogs: string[] = []
    page.on('dialog', dialog => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    for (const path of ['/calls/hostile', '/calls?date_to=2026-01-02', '/calls?text=onerror']) {
      await page.goto(at(path))
      await expect.poll(() => page.locator('main').textContent()).toContain('onerror=alert(1)')
      expect(await page.locator('main img, main script').count()).toBe(0)
    }
    expect(dialogs).toEqual([])
  })

  test('no page broke its policy, threw or complained', () => {
    expect(faults).toEqual([])
  })
})

/** What waits is drawn anew 60 times a second where it may move. */
const CALM = { reducedMotion: 'reduce' } as const

/** Rules of axe whose finding hangs on colours, on how much room there is, or on what is hidden for want of it. */
const OF_COLOUR_AND_ROOM = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'aria-hidden-focus',
  'heading-order',
  'empty-heading',
]

/** Every screen, and what is there once it is shown. */
const SCREENS = [
  ['/', '.change, .columns .more'],
  ['/calls', '.call-row'],
  ['/calls/:worst', '.transcript'],
  ['/compare?a=:worst&b=:worst', '.compared'],
  ['/import', '.drop, .note'],
  ['/agents?last=90', '.rows, .names-line'],
  ['/agents/:agent?last=90', '.clips'],
  ['/changes?last=30', '#seen-title'],
  [
    `/explore#${encodeURIComponent('[{"$group":{"_id":"$agent_name","n":{"$sum":1}}}]')}`,
    '.wide tbody, .panel p.muted',
  ],
  ['/key', '.panel'],
] as const

/** So many seconds of a low tone: WAV, PCM of 8 bits, 8,000 samples a second. */
function hum(seconds: number): Buffer {
  const rate = 8_000
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + seconds * rate, 4)
  header.write('WAVEfmt ', 8)
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate],
    [40, seconds * rate],
  ] as const)
    header.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    header.writeUInt16LE(value, at)
  header.write('data', 36)
  return Buffer.concat([
    header,
    Uint8Array.from({ length: seconds * rate }, (_, i) => 128 + Math.round(40 * Math.sin(i / 9))),
  ])
}
