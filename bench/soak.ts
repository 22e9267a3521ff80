/**
 * Kills the service at random moments and looks what is left: `npm run soak -- [--rounds 200] [--seed N] [--keep]`.
 * With `--processes 3` it is several over one store, behind a proxy; some are killed while the others go on.
 *
 * Each round starts the real service on the same data directory, lets clients import calls, erase them, change keys, ask
 * tools and REST, kills it with SIGKILL after a random time (now and then while it starts), starts it again and checks:
 *
 * - every acknowledged import and erasure is there, and what was not acknowledged is there whole or not at all;
 * - what agents have is said of just these calls, by days that were counted before the kill, while it came, or not;
 * - every acknowledged change of a key holds, and what is revoked stays out;
 * - every request that got an answer is on the audit trail, once, and the trail is whole;
 * - the store opens by itself.
 *
 * Of several processes also: a call's changes are told of by one event, a task that is due runs once, and a key that hears one agent is
 * told of no other, whichever process answers. Each fifty rounds (`--rounds-a-project`) have a project of their own. Their store is the fake of the tests as a process of its own, or a server: `--store mongodb://…`.
 *
 * Exit code 1 when anything is missing. docs/reliability.md keeps what was seen.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readTrail } from './soak/read-trail.js'
import { Callers } from './soak/callers.js'
import { Ledger } from './soak/ledger.js'
import { soakMany } from './soak/many-processes.js'
import { randomOf } from './soak/random-of.js'
import { adminToken, command, type RunningService, spawnService, startService } from './service/running-service.js'

/** Made anew at every run. */
const OWN = 'bench-data/soak'
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    'data-dir': { type: 'string', default: OWN },
    keep: { type: 'boolean', default: false },
    processes: { type: 'string', default: '1' },
    store: { type: 'string' },
    lease: { type: 'string', default: '9s' },
    'rounds-a-project': { type: 'string', default: '50' },
  },
})
const PROJECT = 'soak'
/** Losses that are shown: what one fault of ours looks like must not hide another. */
const MOST_SHOWN = 1_000
const rounds = Number(options.rounds)
const dataDir = options['data-dir']
const random = randomOf(Number(options.seed))

// What somebody names may be a directory with calls that are needed.
if (dataDir !== OWN && existsSync(dataDir) && readdirSync(dataDir).length > 0) {
  throw new Error(`${dataDir} is not empty: name a directory that is new, or remove it first`)
}
if (Number(options.processes) > 1) {
  const { processes, store, lease, 'rounds-a-project': roundsAProject } = options
  const many = { processes: Number(processes), roundsAProject: Number(roundsAProject) }
  const { result, losses } = await soakMany({ ...many, rounds, random, dataDir, store, lease })
  console.log(JSON.stringify(result, undefined, 2))
  for (const loss of losses.slice(0, MOST_SHOWN)) console.log(`LOST: ${loss}`)
  process.exit(losses.length === 0 ? 0 : 1)
}
rmSync(dataDir, { recursive: true, force: true })
command(dataDir, ['project', 'create', PROJECT])
const ledger = new Ledger()
const starts: number[] = []
let killedStarting = 0
let countings = 0
let tornLines = 0
let seen = 0

async function start(): Promise<RunningService> {
  const service = await startService(dataDir, { EARSHOT_LOG_LEVEL: 'debug' })
  starts.push(service.ms)
  const torn = /(\d+) bytes of a torn audit line/.exec(service.log())
  if (torn !== null) tornLines += 1
  return service
}

/** Kills a service while it opens its store, which must be as safe a moment as any. */
async function killWhileStarting(): Promise<void> {
  const child = spawnService(dataDir)
  const gone = once(child, 'exit')
  await sleep(random.between(50, 900))
  child.kill('SIGKILL')
  await gone
  killedStarting += 1
}

/** Of so many rounds one is killed while its clients rest and its days are counted, which begins three to five seconds after the last change. */
const ROUNDS_A_REST = 4

const began = performance.now()
let service = await start()
for (let round = 1; round <= rounds; round += 1) {
  const callers = new Callers({ service, ledger, project: PROJECT, admin: await adminToken(), round, random, dataDir })
  await callers.connect()
  const gone = new AbortController()
  const working = callers.work(gone.signal)
  await sleep(random.between(50, 2_500))
  if (round % ROUNDS_A_REST === 0) {
    gone.abort()
    await working
    await sleep(random.between(3_500, 7_000))
  }
  countings += service.log().split('days were counted').length - 1
  await service.end('SIGKILL')
  // What was answered before is still on its way to the clients.
  setTimeout(() => gone.abort(), 100)
  await working
  if (random.between(0, 9) === 0) await killWhileStarting()
  // Read before the next start, which may cut a torn line: an answered request's line is whole by then.
  ledger.checkTrail(await readTrail(dataDir))
  service = await start()
  const checking = new Callers({ service, ledger, project: PROJECT, admin: await adminToken(), round, random, dataDir })
  await ledger.checkCalls(from => checking.callsOf(from), round, rounds)
  ledger.checkAgents(await checking.agents())
  await ledger.checkKeys(checking)
  for (const loss of ledger.losses.slice(seen)) console.log(`round ${round}: LOST: ${loss}`)
  seen = ledger.losses.length
  if (round % 20 === 0) console.log(`round ${round}: ${JSON.stringify(ledger.counts())}`)
}
// The table that questions read must in the end hold what the trail holds.
const last = new Callers({
  service,
  ledger,
  project: PROJECT,
  admin: await adminToken(),
  round: rounds,
  random,
  dataDir,
})
const table = await last.activityRequests()
const stopped = await service.end('SIGTERM')
const trail = await readTrail(dataDir)
const counted = trail.events.filter(({ project_id, roles, source }) => {
  return project_id === PROJECT && source !== 'operator' && !roles.includes('SuperAdmin')
}).length
// The question that counted is on record itself, after what it counted.
if (table !== counted - 1) ledger.lost(`the activity table counts ${table} requests, the trail ${counted - 1}`)
if (stopped !== 0) ledger.lost(`SIGTERM ended the service with ${stopped}`)
const sorted = starts.toSorted((a, b) => a - b)
const result = {
  rounds,
  minutes: Math.round((performance.now() - began) / 6_000) / 10,
  killed_while_starting: killedStarting,
  times_days_were_counted: countings,
  ...ledger.counts(),
  audit_lines: trail.events.length,
  rounds_with_a_torn_audit_line: tornLines,
  start_ms: { median: Math.round(sorted[sorted.length >> 1]!), most: Math.round(sorted.at(-1)!) },
  lost: ledger.losses.length,
}
console.log(JSON.stringify(result, undefined, 2))
for (const loss of ledger.losses.slice(0, MOST_SHOWN)) console.log(`LOST: ${loss}`)
if (!options.keep && ledger.losses.length === 0) rmSync(dataDir, { recursive: true, force: true })
process.exitCode = ledger.losses.length === 0 ? 0 : 1
