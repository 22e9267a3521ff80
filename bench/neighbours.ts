/**
 * What one tenant can do to another: `npm run attack:neighbours -- [--only TEXT] [--rounds 3] [--seconds 5] [--json FILE]`.
 *
 * Starts the real service with the limits it has by default, fills two projects, and has one of them attack in every way that is
 * listed in bench/attacks/attacks.ts, beside a quiet tenant who works with tools and REST. Rounds without and with the
 * attack take turns, so that a machine with other work to do makes both slower. All that the quiet tenant asks must be
 * answered, with a p95 of at most three times that of the quiet service (medians of the rounds): else the exit code is 1.
 * Only loopback is used, and it ends by itself.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import Table from 'cli-table3'
import { mintAdminToken } from '../src/access/mint-admin-token.js'
import { attacks, type Hostile } from './attacks/attacks.js'
import { type Asked, type Quiet, QuietTenant } from './attacks/quiet-tenant.js'
import type { AttackOrder, AttackReport } from './attacks/run-attack.js'
import { ADMIN_SECRET, command, startService } from './service/running-service.js'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    calls: { type: 'string', default: '3000' },
    json: { type: 'string' },
  },
})

/** The most that the quiet tenant's p95 may grow by. */
const MOST_RATIO = 3
/** Milliseconds an attack has to begin, and what it left has to end, before the next round. */
const LEAD_MS = 700
const QUIET_MS = 1_500
/** The same for both administrators: one name in two projects. */
const SUBJECT = 'administrator'

const rounds = Number(options.rounds)
const roundMs = Number(options.seconds) * 1_000
const chosen = attacks.filter(({ name }) => name.includes(options.only))
if (chosen.length === 0 || !(rounds >= 1) || !(roundMs >= 1_000)) {
  console.error(
    `Nothing to do. --rounds and --seconds are from 1, and --only is part of one of: ${attacks.map(({ name }) => name).join('; ')}`,
  )
  process.exit(2)
}

interface Outcome {
  readonly attack: string
  readonly asked: number
  readonly answered: number
  readonly faults: readonly string[]
  readonly p95AloneMs: number
  readonly p95UnderMs: number
  readonly ratio: number
  readonly peakMiB: number
  readonly attacker: AttackReport
  readonly passed: boolean
}

const dataDir = mkdtempSync(join(tmpdir(), 'earshot-neighbours-'))
const adminOf = (projectId: string) =>
  mintAdminToken(ADMIN_SECRET, { subject: SUBJECT, role: 'Admin', projectId, lifetimeS: 6 * 3_600 })

function fill(project: string, seed: number): readonly string[] {
  command(dataDir, ['project', 'create', project])
  const generated = command(dataDir, ['generate', '--calls', options.calls, '--seed', String(seed)])
  command(dataDir, ['import', '-', '--project', project], generated)
  const ids = generated.split('\n', 50).map(line => (JSON.parse(line) as { session_id: string }).session_id)
  return ids
}
async function mint(apiUrl: string, project: string, name: string): Promise<string> {
  const answer = await fetch(`${apiUrl}/projects/${project}/mcp-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await adminOf(project)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  if (answer.status !== 201) throw new Error(`No key for ${project}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { key: string }).key
}

const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN
}
const p95 = (asked: readonly Asked[]) =>
  quantile(
    asked.map(({ ms }) => ms),
    0.95,
  )
const median = (values: readonly number[]) => quantile(values, 0.5)

/** An attack that goes on until it is told to stop. */
function begin(order: AttackOrder): { readonly stop: () => Promise<AttackReport> } {
  const worker = new Worker(new URL('./attacks/run-attack.js', import.meta.url), { workerData: order })
  const report = new Promise<AttackReport>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  const exited = new Promise(resolve => worker.once('exit', resolve))
  return {
    stop: async () => {
      worker.postMessage('stop')
      // An attack may be stuck in what it does to itself.
      const said = await Promise.race([report, sleep(5_000, [] as AttackReport)])
      await Promise.race([exited, worker.terminate()])
      return said
    },
  }
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
}

function added(sum: Map<string, number>, report: AttackReport): void {
  for (const [outcome, times] of report) sum.set(outcome, (sum.get(outcome) ?? 0) + times)
}

async function tried(attack: string, quiet: Quiet, hostile: Hostile, pid: number): Promise<Outcome> {
  const alone: number[] = []
  const under: number[] = []
  const during: Asked[] = []
  const tally = new Map<string, number>()
  let peakMiB = 0
  const tenant = new QuietTenant(quiet)
  /* oxlint-disable no-await-in-loop -- rounds are measured one after the other */
  await tenant.open()
  await tenant.work(roundMs)
  for (let round = 0; round < rounds; round += 1) {
    alone.push(p95(await tenant.work(roundMs)))
    const running = begin({ name: attack, hostile })
    await sleep(LEAD_MS)
    const asked = await tenant.work(roundMs)
    peakMiB = Math.max(peakMiB, await residentMiB(pid))
    during.push(...asked)
    under.push(p95(asked))
    added(tally, await running.stop())
    await sleep(QUIET_MS)
  }
  /* oxlint-enable no-await-in-loop */
  tenant.close()
  const faults = during.flatMap(({ what, fault }) => (fault === undefined ? [] : [`${what}: ${fault}`]))
  const [p95AloneMs, p95UnderMs] = [median(alone), median(under)]
  const ratio = p95UnderMs / p95AloneMs
  const answered = during.length - faults.length
  const passed = faults.length === 0 && ratio <= MOST_RATIO
  return {
    attack,
    asked: during.length,
    answered,
    faults,
    p95AloneMs,
    p95UnderMs,
    ratio,
    peakMiB,
    attacker: [...tally],
    passed,
  }
}

const outcomes: Outcome[] = []
try {
  const calls = { quiet: fill('quiet', 1), hostile: fill('hostile', 2) }
  const before = await startService(dataDir)
  const quietKey = await mint(before.apiUrl, 'quiet', 'quiet')
  const keys = await Promise.all(Array.from({ length: 10 }, (_, i) => mint(before.apiUrl, 'hostile', `hostile ${i}`)))
  await before.end('SIGTERM')
  for (const { name } of chosen) {
    // Each against a service of its own: what one attack left behind is not the next one's.
    /* oxlint-disable no-await-in-loop */
    const service = await startService(dataDir, { EARSHOT_REQUESTS_PER_MINUTE: '600' })
    const { apiUrl, mcpUrl, pid } = service
    const quiet: Quiet = {
      apiUrl,
      mcpUrl,
      project: 'quiet',
      key: quietKey,
      adminToken: await adminOf('quiet'),
      calls: calls.quiet,
    }
    const hostile: Hostile = {
      apiUrl,
      mcpUrl,
      project: 'hostile',
      keys,
      adminToken: await adminOf('hostile'),
      calls: calls.hostile,
    }
    const outcome = await tried(name, quiet, hostile, pid)
    outcomes.push(outcome)
    console.error(sentence(outcome))
    await service.end('SIGKILL')
    /* oxlint-enable no-await-in-loop */
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

function sentence({
  attack,
  asked,
  answered,
  p95AloneMs,
  p95UnderMs,
  ratio,
  faults,
  attacker,
  passed,
}: Outcome): string {
  const own = attacker.map(([outcome, times]) => `${times} × ${outcome}`).join(', ')
  const why = [...new Set(faults)].slice(0, 3).map(fault => `\n    ${fault}`)
  return `${passed ? 'passed' : 'FAILED'} ${attack}: ${answered}/${asked}, ${p95AloneMs.toFixed(0)} → ${p95UnderMs.toFixed(0)} ms (${ratio.toFixed(1)}); attacker: ${own}${why.join('')}`
}

const table = new Table({
  head: ['attack', 'asked', 'answered', 'p95 alone, ms', 'p95 under attack, ms', 'ratio', 'memory, MiB', 'verdict'],
})
for (const one of outcomes) {
  const { attack, asked, answered, p95AloneMs, p95UnderMs, ratio, peakMiB, passed } = one
  table.push([
    attack,
    asked,
    answered,
    p95AloneMs.toFixed(0),
    p95UnderMs.toFixed(0),
    ratio.toFixed(1),
    peakMiB,
    passed ? 'passed' : 'FAILED',
  ])
}
console.log(table.toString())
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(outcomes, undefined, 2)}\n`)
process.exit(outcomes.every(({ passed }) => passed) ? 0 : 1)
