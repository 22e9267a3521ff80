import { mkdirSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { adminToken, command, commandsAnswer, type RunningService, startService } from '../service/running-service.js'
import { Callers, type NarrowedKey } from './callers.js'
import { Ledger } from './ledger.js'
import { type Random } from './random-of.js'
import { roundRobin } from '../../test/support/round-robin.js'
import { startStoreServer } from './store-server.js'
import { Told, versionKey } from './told.js'
import { ChainTrail } from './chain-trail.js'

interface ManyOptions {
  readonly processes: number
  readonly rounds: number
  readonly random: Random
  readonly dataDir: string
  /** Address of the store's server; absent: the fake of the tests, in a process of its own. */
  readonly store: string | undefined
  /** How long a killed process keeps what it had taken for itself. */
  readonly lease: string
  /** Rounds that share a project. Clients add up all calls of theirs, so that a round costs at the end what it cost at first. */
  readonly roundsAProject: number
}

const AGENT = 'Agent 3'
/** A task keeps its last hundred runs, of which it makes some six a round. */
const ROUNDS_A_LOOK_AT_RUNS = 10
/** What one process changed holds in all others by then, milliseconds. */
const KNOWN_EVERYWHERE_MS = 5_000
/** Longest that something is waited for that has to come, milliseconds. */
const MOST_WAIT_MS = 90_000
const TASK_EVERY_S = 3

const webhookAdded = z.object({ webhook_id: z.string() })
const taskCreated = z.object({ task_id: z.string() })
const minted = z.object({ key: z.string() })
const deliveries = z.object({
  deliveries: z.array(z.object({ event_id: z.string(), state: z.string() })),
  next_cursor: z.string().optional(),
})
const runs = z.object({
  runs: z.array(
    z.object({
      run_id: z.string(),
      trigger: z.string(),
      state: z.string(),
      started_at: z.string(),
      ended_at: z.string().optional(),
    }),
  ),
  next_before: z.string().optional(),
})
const verification = z.object({ ok: z.boolean() })
type Run = z.output<typeof runs>['runs'][number]

/** A project of some rounds, and what its clients were told. */
interface SoakedProject {
  readonly name: string
  readonly ledger: Ledger
  readonly narrowed: NarrowedKey
  readonly webhook: string
  readonly task: string
}

/**
 * Several processes over one store behind a plain proxy, of which some are killed at random while the others go on: see soak.ts.
 * Resolves with what was counted, and with what was lost.
 */
export async function soakMany(
  options: ManyOptions,
): Promise<{ readonly result: object; readonly losses: readonly string[] }> {
  const { processes, rounds, random, dataDir, lease, roundsAProject } = options
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  const store = await startStoreServer(options.store)
  const told = await Told.start()
  const more = {
    EARSHOT_STORE_URL: store.url,
    EARSHOT_SECRET: 'one secret of the soak, the same for every process',
    EARSHOT_STORE_LEASE: lease,
    EARSHOT_WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
    EARSHOT_WEBHOOK_FIRST_RETRY: '1s',
  }

  const projects: SoakedProject[] = []
  const losses = () => projects.flatMap(({ ledger }) => ledger.losses)
  const running: (RunningService | undefined)[] = Array.from({ length: processes }, () => undefined)
  const starts: number[] = []
  const start = async (n: number) => {
    const service = await startService(`${dataDir}/${n}`, more)
    starts.push(service.ms)
    running[n] = service
  }
  let seen = 0
  let isWhole = false
  // A trial that fails says what was lost until then and what the processes had to say, and leaves nobody behind: what runs on would
  // write to the next one's store.
  process.on('exit', () => {
    for (const one of running) if (one !== undefined) process.kill(one.pid, 'SIGKILL')
    if (isWhole) return
    for (const loss of losses().slice(seen)) console.log(`LOST: ${loss}`)
    for (const one of running) console.log(lastTroubles(one?.log() ?? '').join('\n'))
  })
  await Promise.all(running.map(async (_, n) => await start(n)))
  const api = await roundRobin(() => running.flatMap(one => one?.apiUrl ?? []))
  const mcp = await roundRobin(() => running.flatMap(one => one?.mcpUrl ?? []))
  const service = {
    apiUrl: api.url,
    mcpUrl: mcp.url,
    log: () => running.map(one => one?.log() ?? '').join('\n'),
  }
  const adminOf =
    (project: string): Admin =>
    async (schema, method, path, body) => {
      const response = await fetch(`${api.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await adminToken()}`,
          'x-project-id': project,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`)
      return schema.parse(JSON.parse(text))
    }

  const open = async (name: string): Promise<SoakedProject> => {
    command(`${dataDir}/operator`, ['project', 'create', name], '', more)
    await sleep(KNOWN_EVERYWHERE_MS)
    const admin = adminOf(name)
    const { key } = await admin(minted, 'POST', `/projects/${name}/mcp-keys`, {
      name: 'narrow',
      allowed_agents: [AGENT],
    })
    const { webhook_id: webhook } = await admin(webhookAdded, 'POST', '/api/v1/webhooks', {
      url: told.url,
      events: ['interaction.evaluated'],
    })
    const { task_id: task } = await admin(taskCreated, 'POST', '/api/v1/tasks', {
      kind: 'evaluate_pending',
      schedule: `*/${TASK_EVERY_S} * * * * *`,
    })
    await sleep(KNOWN_EVERYWHERE_MS)
    return { name, ledger: new Ledger(false), narrowed: { token: key, agent: AGENT }, webhook, task }
  }

  const trail = await ChainTrail.open(store.url)
  const began = performance.now()
  const counted = { kills: 0, rounds_with_all_killed: 0 }
  const takeovers: number[] = []
  const callersOf = async ({ name: project, ledger, narrowed }: SoakedProject, round: number) => {
    const admin = await adminToken()
    return new Callers({ service, ledger, project, admin, round, random, dataDir, goesOn: true, narrowed })
  }
  // What a round's checks were answered is on record too, which the next look finds, of whichever project that is.
  const lookAtTrail = async () => {
    const read = await trail.read()
    for (const { ledger } of projects) ledger.checkTrail(read)
  }
  const taskRuns = new Map<string, Run['state']>()
  const faults = new Set<string>()
  const lookAtRuns = async ({ name, ledger, task }: SoakedProject) => {
    const listed = await everyRun(adminOf(name), task)
    for (const { run_id: id, state } of listed) taskRuns.set(id, state)
    for (const fault of faultsOf(listed)) {
      if (!faults.has(fault)) ledger.lost(fault)
      faults.add(fault)
    }
  }
  for (let round = 1; round <= rounds; round += 1) {
    if ((round - 1) % roundsAProject === 0) projects.push(await open(`soak-${projects.length + 1}`))
    const project = projects.at(-1)!
    const { ledger } = project
    const working = await callersOf(project, round)
    await working.connect()
    const end = new AbortController()
    const worked = working.work(end.signal)
    await sleep(random.between(50, 1_200))
    // Most often one, now and then several, now and then all.
    const doomed = random.pick([1, 1, 1, 1, 2, 2, processes]) ?? 1
    const order = running.map((_, n) => n)
    const killed: number[] = []
    for (let n = 0; n < Math.min(doomed, processes); n += 1) {
      const at = order.splice(random.between(0, order.length - 1), 1)[0]!
      killed.push(at)
      const gone = running[at]
      running[at] = undefined
      await gone?.end('SIGKILL')
      await sleep(random.between(0, 200))
    }
    counted.kills += killed.length
    if (killed.length === processes) counted.rounds_with_all_killed += 1
    await sleep(random.between(100, 800))
    for (const at of killed) await start(at)
    end.abort()
    await worked

    // A write of each kind: whoever writes next ends what was cut off, and waits until a killed process has its lease no more.
    const settling = performance.now()
    const last = await callersOf(project, round)
    await last.settle(MOST_WAIT_MS)
    takeovers.push(performance.now() - settling)
    await sleep(KNOWN_EVERYWHERE_MS)
    await lookAtTrail()
    await ledger.checkCalls(from => last.callsOf(from), round, rounds)
    ledger.checkAgents(await last.agents())
    await ledger.checkKeys(last)
    if (round % ROUNDS_A_LOOK_AT_RUNS === 0) await lookAtRuns(project)
    for (const loss of losses().slice(seen)) console.log(`round ${round}: LOST: ${loss}`)
    seen = losses().length
    if (round % 10 === 0) console.log(`round ${round}: ${JSON.stringify({ ...countsOf(projects), ...counted })}`)
  }

  await lookAtTrail()
  const events: string[] = []
  for (const project of projects) {
    const { name, ledger } = project
    const checking = await callersOf(project, rounds)
    await ledger.checkCalls(from => checking.callsOf(from), rounds, rounds)
    events.push(...(await checkTold(adminOf(name), project, told)))
    await lookAtRuns(project)
    await lookAtTrail()
  }
  const { ledger } = projects.at(-1)!
  const twice = [...told.events].filter(([, ids]) => ids.size > 1)
  const [one] = twice
  if (one !== undefined) {
    const [version, ids] = one
    ledger.lost(
      `${twice.length} versions of calls were told of by several events, as ${version} by ${[...ids].join(', ')}`,
    )
  }
  const verified = commandsAnswer(`${dataDir}/operator`, ['audit', 'verify', '--json'], more)
  if (!verification.parse(verified).ok) ledger.lost(`the audit trail is not whole: ${JSON.stringify(verified)}`)
  const codes = await Promise.all(
    running.map(async (one, n) => {
      running[n] = undefined
      return await one?.end('SIGTERM')
    }),
  )
  if (codes.some(code => code !== 0)) ledger.lost(`SIGTERM ended the processes with ${codes.join(', ')}`)
  await trail.close()
  await api.close()
  await mcp.close()
  told.close()
  await store.end()
  const sorted = starts.toSorted((a, b) => a - b)
  const waits = takeovers.toSorted((a, b) => a - b)
  const result = {
    rounds,
    processes,
    store: options.store === undefined ? 'the fake' : 'a server',
    lease,
    minutes: Math.round((performance.now() - began) / 6_000) / 10,
    ...counted,
    projects: projects.length,
    ...countsOf(projects),
    events_told: events.length,
    told_again_under_the_same_id: told.repeats,
    task_runs: taskRuns.size,
    task_runs_cut_off: [...taskRuns.values()].filter(state => state === 'interrupted').length,
    audit: verified,
    start_ms: { median: Math.round(sorted[sorted.length >> 1] ?? 0), most: Math.round(sorted.at(-1) ?? 0) },
    until_written_again_ms: { median: Math.round(waits[waits.length >> 1] ?? 0), most: Math.round(waits.at(-1) ?? 0) },
    lost: losses().length,
  }
  isWhole = true
  return { result, losses: losses() }
}

/** Lines of a log that are shown of a process. */
const MOST_TROUBLES = 20

/** The last lines of a log that tell of trouble, or of a request that was answered so. */
const lastTroubles = (log: string): readonly string[] =>
  log
    .split('\n')
    .filter(line => /"level":"(warn|error)"|"status":[45]\d\d/.test(line))
    .slice(-MOST_TROUBLES)

/** What was counted in all projects together. */
function countsOf(projects: readonly SoakedProject[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const { ledger } of projects) {
    for (const [name, count] of Object.entries(ledger.counts())) sums[name] = (sums[name] ?? 0) + count
  }
  return sums
}

type Admin = <T>(schema: z.ZodType<T>, method: string, path: string, body?: object) => Promise<T>

/**
 * Everybody who is to be told is told, once of each version of a call, and nothing is owed.
 * @returns the ids of a project's events
 */
async function checkTold(admin: Admin, { webhook, ledger }: SoakedProject, told: Told): Promise<ReadonlySet<string>> {
  const pending = async () => (await everyDelivery(admin, webhook)).filter(({ state }) => state === 'pending').length
  for (let waited = 0; (await pending()) > 0 && waited < MOST_WAIT_MS; waited += 1_000) await sleep(1_000)
  const left = await pending()
  if (left > 0) ledger.lost(`${left} deliveries are still to be sent`)
  const listed = await everyDelivery(admin, webhook)
  const events = new Set(listed.map(({ event_id }) => event_id))
  if (events.size < listed.length) ledger.lost(`${listed.length - events.size} events are on their way twice`)
  const dead = listed.filter(({ state }) => state === 'dead').length
  if (dead > 0) ledger.lost(`${dead} deliveries were given up`)
  const untold = [...ledger.versions()].filter(([id, version]) => !told.events.has(versionKey(id, version)))
  if (untold.length > 0) ledger.lost(`nobody was told of ${untold.length} calls, such as ${untold[0]?.join(' v')}`)
  return events
}

async function everyDelivery(admin: Admin, webhook: string): Promise<z.output<typeof deliveries>['deliveries']> {
  const all: z.output<typeof deliveries>['deliveries'] = []
  for (let cursor = '', more = true; more;) {
    const query = new URLSearchParams({ limit: '500', ...(cursor !== '' && { cursor }) })
    const page = await admin(deliveries, 'GET', `/api/v1/webhooks/${webhook}/deliveries?${query.toString()}`)
    all.push(...page.deliveries)
    cursor = page.next_cursor ?? ''
    more = cursor !== ''
  }
  return all
}

async function everyRun(admin: Admin, task: string): Promise<readonly Run[]> {
  const all: Run[] = []
  for (let before: string | undefined, more = true; more;) {
    const query = new URLSearchParams({ limit: '100', ...(before !== undefined && { before }) })
    const page = await admin(runs, 'GET', `/api/v1/tasks/${task}/runs?${query.toString()}`)
    all.push(...page.runs)
    before = page.next_before
    more = before !== undefined
  }
  return all
}

/** A task has one run at a time, and one for each time it is due. */
function faultsOf(history: readonly Run[]): readonly string[] {
  const faults: string[] = []
  const due = new Map<number, Run>()
  const inOrder = history.toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
  for (const [n, run] of inOrder.entries()) {
    const before = inOrder[n - 1]
    if (before?.state === 'ok' && before.ended_at !== undefined && before.ended_at > run.started_at) {
      faults.push(`run ${run.run_id} of a task began while ${before.run_id} ran`)
    }
    if (run.trigger !== 'schedule') continue
    const time = Math.floor(Date.parse(run.started_at) / (TASK_EVERY_S * 1_000))
    const other = due.get(time)
    if (other !== undefined) faults.push(`a task ran twice for one time: ${other.run_id} and ${run.run_id}`)
    due.set(time, run)
  }
  return faults
}
