import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { callOf, conversation, longReasons, ofManyAgents } from '../../bench/attacks/hostile-input.js'
import { operations } from '../../src/operations/operations.js'
import { prompts } from '../../src/questions/prompts/prompts.js'
import { questions } from '../../src/questions/questions.js'
import { resources } from '../../src/questions/resources/resources.js'
import { canMeasureTurns, HeldLoop, isTooLong } from '../support/loop/held-loop.js'
import {
  anyAsk,
  documentOfManyWords,
  longParameter,
  messageRows,
  promptRows,
  resourceRows,
  type RestAsk,
  restRows,
  toolRows,
  type World,
} from '../support/loop/rows.js'
import { type RunningService, startService } from '../support/start-service.js'

// The service answers everybody in one thread. So that no request keeps others waiting, none may hold that thread's event loop
// for more than 100 ms of the processor's time (of one like that of docs/benchmarks.md), however dear it is made: here every
// route, tool, resource and prompt there is gets the dearest requests that are within the limits. That measures time, so it is a
// command of its own (npm run attack:loop) on a machine that has nothing else to do; the suite holds that nothing is left out.

/** Routes that are served and not described. */
const UNDESCRIBED = ['GET /metrics', 'GET /openapi.json', 'GET /docs']

const measures = process.env['HELD_LOOP'] !== undefined && canMeasureTurns

/** Every route that the API describes: what its page is made of (test/rest/openapi.test.ts). */
const described = operations
  .filter(({ summary }) => summary !== undefined)
  .map(({ method, url, body, uploads }) => ({
    route: `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`,
    takesBody: body !== undefined || uploads !== undefined,
  }))

/** What has no request of its own gets those that every route gets. */
const routeRows: typeof restRows = {
  ...Object.fromEntries(described.map(({ route }) => [route, () => []])),
  ...restRows,
}

/** How often what seems to hold the loop is asked of a service that was just started: a busy machine makes all dearer at times. */
const ATTEMPTS = 3

const world: World = {
  project: 'demo',
  largeCall: 'large',
  longTurns: 'long-turns',
  longestTurns: 'longest-turns',
  call: 'small',
  agentId: 'ada-agent',
  agentName: 'Ada Agent',
}

interface Measured {
  readonly service: RunningService
  readonly held: HeldLoop
}

let dataDir: string
let measured: Measured

/** The service on its own copy of what there is: what earlier requests left is not what is measured. */
async function start(): Promise<Measured> {
  const own = mkdtempSync(join(dataDir, 'run-'))
  cpSync(join(dataDir, 'data'), own, { recursive: true })
  const held = new HeldLoop(join(own, 'turns'))
  const env = { EARSHOT_REQUESTS_PER_MINUTE: '1000000', EARSHOT_LOG_LEVEL: 'error', ...held.environment }
  return { service: await startService({ dataDir: own, env }), held }
}

async function startAnew(): Promise<void> {
  await measured.service.end('SIGKILL')
  measured = await start()
}

async function post(service: RunningService, body: string): Promise<string> {
  const answer = await fetch(`${service.mcp_url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.application_key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body,
  })
  return await answer.text()
}

const rpc = (service: RunningService, method: string, params: object) =>
  post(service, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))

async function ask(
  service: RunningService,
  route: string,
  { params = {}, query, body, headers }: RestAsk,
): Promise<void> {
  const [method = '', path = ''] = route.split(' ')
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? longParameter)
  const token = /^\/(metrics|openapi|docs|health|ready)/.test(path)
    ? {}
    : { authorization: `Bearer ${service.admin_token}` }
  const answer = await fetch(`${service.api_url}${filled}${query === undefined ? '' : `?${query}`}`, {
    method,
    headers: { ...token, ...(path.startsWith('/api/v1/') ? { 'x-project-id': world.project } : {}), ...headers },
    ...(body === undefined ? {} : { body }),
  })
  await answer.arrayBuffer()
  // Refused for another reason than what it asks: that would measure nothing.
  expect([401, 403, 429, 500]).not.toContain(answer.status)
}

/** The longest turn while something is done, in milliseconds of processor time. What it leaves behind counts too. */
async function longestTurn({ service, held }: Measured, act: (service: RunningService) => Promise<unknown>) {
  held.take()
  await act(service)
  // What it left behind has its turns too, before these answers have theirs.
  for (let i = 0; i < 3; i += 1) {
    // oxlint-disable-next-line no-await-in-loop
    await (await fetch(`${service.api_url}/health`)).arrayBuffer()
  }
  return Math.max(0, ...held.take())
}

/** Undefined when no turn is too long in one of a few attempts, each of a service that was just started. */
async function holding(act: (service: RunningService) => Promise<unknown>): Promise<number | undefined> {
  let shortest = await longestTurn(measured, act)
  for (let attempt = 1; attempt < ATTEMPTS && isTooLong(shortest); attempt += 1) {
    /* oxlint-disable no-await-in-loop */
    await startAnew()
    shortest = Math.min(shortest, await longestTurn(measured, act))
    /* oxlint-enable no-await-in-loop */
  }
  return isTooLong(shortest) ? shortest : undefined
}

/** What the rows of routes call an answer that leaves nothing out. */
const EVERYTHING = 'everything'

describe('the rows are of what there is', () => {
  test('every route is tried, and no other', () => {
    const routes = [...described.map(({ route }) => route), ...UNDESCRIBED]
    expect(Object.keys(routeRows).toSorted()).toEqual(routes.toSorted())
  })

  test('there is a row for every resource and prompt, and for no tool that is not', () => {
    expect(Object.keys(resourceRows).toSorted()).toEqual(resources.map(({ uriTemplate }) => uriTemplate).toSorted())
    expect(Object.keys(promptRows).toSorted()).toEqual(prompts.map(({ name }) => name).toSorted())
    expect(questions.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(toolRows)))
  })
})

const SKIPPED = measures ? '' : ' (measured by npm run attack:loop, on Linux)'

describe.skipIf(!measures)(`no request holds the event loop${SKIPPED}`, () => {
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'earshot-loop-'))
    const first = await startService({ dataDir: join(dataDir, 'data'), calls: 2_000 })
    const large = callOf(world.largeCall, { transcript: conversation(15_000, 20) })
    const long = callOf(world.longTurns, { transcript: conversation(150, 2_200) })
    const longest = callOf(world.longestTurns, { transcript: conversation(14, 22_000) })
    const small = callOf(world.call, { transcript: conversation(10) })
    const calls = [large, long, longest, small, ...longReasons(1_000, 400), ...ofManyAgents(10_000)]
      .map(call => JSON.stringify(call))
      .join('\n')
    const imported = await fetch(`${first.api_url}/api/v1/interactions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.application_key}`, 'content-type': 'application/x-ndjson' },
      body: calls,
    })
    const report = await imported.text()
    if (!report.includes('"stored":11004')) throw new Error(`The calls did not come in: ${report}`)
    const put = await fetch(`${first.api_url}/api/v1/knowledge-base`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${first.admin_token}`,
        'content-type': 'application/json',
        'x-project-id': world.project,
      },
      body: JSON.stringify(documentOfManyWords()),
    })
    if (put.status !== 201) throw new Error(`The document did not come in: ${await put.text()}`)
    await first.end()
    measured = await start()
  })
  // What failed may have left the service at work, or dead.
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await startAnew()
  })
  afterAll(async () => {
    await measured?.service.end()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test.each(Object.entries(routeRows))('%s', async (route, row) => {
    const takesBody = described.find(one => one.route === route)?.takesBody === true
    const holds: Record<string, number> = {}
    const own = row(world)
    // Whatever is asked of what gives everything takes as long as that, and this is long enough once.
    const asks = own.some(({ what }) => what === EVERYTHING) ? own : [...anyAsk(takesBody), ...own]
    for (const one of asks) {
      // oxlint-disable-next-line no-await-in-loop
      const ms = await holding(service => ask(service, route, one))
      if (ms !== undefined) holds[one.what] = ms
    }
    expect(holds).toEqual({})
  })

  const asked: readonly (readonly [string, (service: RunningService) => Promise<unknown>])[] = [
    ...questions.flatMap(({ name, rest }) =>
      (toolRows[name]?.(world) ?? [{ what: 'its example', args: rest?.example ?? {} }]).map(
        ({ what, args }) =>
          [
            `${name}: ${what}`,
            (service: RunningService) => rpc(service, 'tools/call', { name, arguments: args }),
          ] as const,
      ),
    ),
    ...Object.entries(resourceRows).map(
      ([name, row]) =>
        [name, (service: RunningService) => rpc(service, 'resources/read', { uri: row(world) })] as const,
    ),
    ...Object.entries(promptRows).map(
      ([name, row]) =>
        [name, (service: RunningService) => rpc(service, 'prompts/get', { name, arguments: row(world) })] as const,
    ),
    ...messageRows.map(({ what, body }) => [what, (service: RunningService) => post(service, body)] as const),
  ]

  test.each(asked)('%s', async (_, act) => {
    expect(await holding(act)).toBeUndefined()
  })
})
