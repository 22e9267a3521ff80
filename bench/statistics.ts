/**
 * Whether the tests of changes keep what docs/statistics.md promises, in simulated projects in which it is known what
 * changed: `npm run bench:statistics -- [--worlds 300] [--power-worlds 100] [--threads 2] [--results FILE]`. False alarms and
 * power beside what is promised. What was found is kept in the file, cell by cell: a run that was ended goes on there.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { MultiBar } from 'cli-progress'
import Table from 'cli-table3'
import { COUNTS, type Coverage, KINDS, TEAMS } from './statistics/coverage.js'
import { ALLOWED_BANDED, ALLOWED_HELD, LIFT_CELLS, type LiftFound } from './statistics/lift.js'
import { ALLOWED, ALLOWED_WORST, MONTHS, NULL_WORLDS, OTHER_WORLDS, POWER, SIZES } from './statistics/promises.js'
import type { FalseAlarms, NullCell, PowerCell } from './statistics/run-cell.js'
import type { Windows, WorldRules } from './statistics/world.js'

const { values: options } = parseArgs({
  options: {
    worlds: { type: 'string', default: '300' },
    'power-worlds': { type: 'string', default: '100' },
    threads: { type: 'string', default: '2' },
    results: { type: 'string' },
  },
})
const worlds = Number(options.worlds)
const pool = new Piscina({
  filename: fileURLToPath(new URL('./statistics/worker.js', import.meta.url)),
  maxThreads: Number(options.threads),
})
const bars = new MultiBar({ format: '{bar} {value}/{total} {what}', hideCursor: true }, undefined)

const kept = new Map<string, unknown>()
if (options.results !== undefined && existsSync(options.results)) {
  for (const line of readFileSync(options.results, 'utf8').trim().split('\n')) {
    const { what, found } = JSON.parse(line) as { what: string; found: unknown }
    kept.set(what, found)
  }
}

/** What a worker thread finds, or found in a run before. */
async function run(name: 'nullCell' | 'powerCell' | 'coverageCell' | 'liftCell', task: object): Promise<unknown> {
  const what = JSON.stringify([name, task])
  if (kept.has(what)) return kept.get(what)
  const found: unknown = await pool.run(task, { name })
  if (options.results !== undefined) appendFileSync(options.results, `${JSON.stringify({ what, found })}\n`)
  return found
}

/** Of nobody there is nothing to tell, which JSON keeps as null. */
const ofSome = (percent: number | null) => (percent === null || Number.isNaN(percent) ? '–' : percent.toFixed(1))

const table = () => new Table({ style: { head: [], border: [] } })

type Windowed = readonly [name: string, rules: WorldRules, windows: Windows]

async function alarms(title: string, list: readonly Windowed[], isPromised: boolean): Promise<string> {
  const bar = bars.create(list.length * SIZES.length * 2, 0, { what: title })
  const out = table()
  out.push(['world (any / medium+ / high, %)', 'mean', 'worst', 'pooled tests, mean', isPromised ? 'kept' : ''])
  for (const [name, rules, windows] of list) {
    const all = async (method: string) =>
      await Promise.all(
        SIZES.map(async (size, i): Promise<FalseAlarms> => {
          const cell: NullCell = {
            rules,
            size,
            windows,
            worlds: method === 'pooled' ? worlds / 5 : worlds,
            seed: i + 1,
          }
          const found = (await run('nullCell', { cell, method })) as FalseAlarms
          bar.increment()
          return found
        }),
      )
    const cells = await all('within')
    const pooled = await all('pooled')
    const mean = (of: readonly FalseAlarms[], key: keyof FalseAlarms) =>
      of.reduce((sum, cell) => sum + cell[key], 0) / of.length
    const worst = (key: keyof FalseAlarms) => Math.max(...cells.map(cell => cell[key]))
    const isKept =
      (['any', 'medium', 'high'] as const).every(key => mean(cells, key) <= ALLOWED[key]) &&
      (['medium', 'high'] as const).every(key => worst(key) <= ALLOWED_WORST[key])
    const three = (of: (key: keyof FalseAlarms) => number) =>
      (['any', 'medium', 'high'] as const).map(key => of(key).toFixed(1)).join(' / ')
    out.push([
      name,
      three(key => mean(cells, key)),
      three(worst),
      three(key => mean(pooled, key)),
      isPromised ? (isKept ? 'yes' : 'NO') : '',
    ])
  }
  return out.toString()
}

async function found(): Promise<string> {
  const bar = bars.create(POWER.length * 4, 0, { what: 'power' })
  const out = table()
  out.push(['found with q < 0.05, %', ...POWER[0]!.least.map(([size]) => `${size.calls} x ${size.agents}`)])
  for (const { name, effect, share, least } of POWER) {
    const cells = await Promise.all(
      least.map(async ([size, promised]) => {
        const cell: PowerCell = {
          size,
          effect,
          windows: MONTHS,
          worlds: Number(options['power-worlds']),
          seed: 3,
          ...(share !== undefined && { share }),
        }
        const [now, pooled] = (await run('powerCell', { cell })) as [number, number]
        bar.increment()
        const beside = promised > 0 ? `, promised ${promised}` : ''
        return `${now.toFixed(0)} (pooled ${pooled.toFixed(0)}${beside})`
      }),
    )
    out.push([name, ...cells])
  }
  return out.toString()
}

/** How often intervals of means hold the true one. */
async function covered(): Promise<string> {
  const out = table()
  out.push(['intervals of 95 % that hold, %', ...COUNTS.map(calls => `${calls} calls`), 'no width', 'kept'])
  for (const [name, team] of Object.entries(TEAMS)) {
    for (const kind of Object.keys(KINDS)) {
      const cells = (await Promise.all(
        COUNTS.map(
          async (calls, i) => await run('coverageCell', { kind, team, at: { calls, intervals: 6_000, seed: i + 1 } }),
        ),
      )) as Coverage[]
      const flat = cells.reduce((sum, cell) => sum + cell.flat, 0)
      const isKept = flat === 0 && cells.every(({ held }) => held >= team.least && held <= team.most)
      out.push([`${kind}; ${name}`, ...cells.map(({ held }) => held.toFixed(1)), String(flat), isKept ? 'yes' : 'NO'])
    }
  }
  return out.toString()
}

/** What lift says of signals that do nothing, and of some that do. */
async function lifted(): Promise<string> {
  const out = table()
  out.push([
    'lift: calls, agents, signals',
    'band, % of calls',
    'held, %',
    'average held, %',
    'by spread alone',
    'agent held, %',
    'agent told, %',
    'average of an agent off by',
    'found, %',
    'kept',
  ])
  const rows = await Promise.all(
    LIFT_CELLS.map(async ({ kind, cell }) => {
      const {
        banded,
        held,
        credit,
        found: part,
        averageHeld,
        spreadHeld,
        agentHeld,
        agentTold,
      } = (await run('liftCell', { cell })) as LiftFound
      const { calls, agents, signals } = cell.world
      const isKept = averageHeld >= ALLOWED_HELD && (kind !== 'nothing' || banded <= ALLOWED_BANDED)
      const kept = isKept ? 'yes' : 'NO'
      const name = `${kind}; ${calls}, ${agents}, ${signals}`
      const found = kind === 'nothing' ? '' : (100 * part).toFixed(0)
      return [
        name,
        banded.toFixed(1),
        held.toFixed(1),
        averageHeld.toFixed(1),
        spreadHeld.toFixed(1),
        ofSome(agentHeld),
        ofSome(agentTold),
        credit.toFixed(3),
        found,
        kept,
      ]
    }),
  )
  out.push(...rows)
  return out.toString()
}

const nulls = Object.entries(NULL_WORLDS)
const tables = [
  await alarms(
    'six earlier pairs',
    nulls.map(([name, rules]) => [name, rules, MONTHS] as const),
    true,
  ),
  await found(),
  await alarms(
    'no history ("high" is withheld)',
    nulls.map(([name, rules]) => [name, rules, { ...MONTHS, pairs: 0 }] as const),
    true,
  ),
  await alarms(
    'other worlds',
    Object.entries(OTHER_WORLDS).map(([name, { rules, windows = MONTHS }]) => [name, rules, windows] as const),
    false,
  ),
  await covered(),
  await lifted(),
]
bars.stop()
await pool.destroy()
console.log(
  `${worlds} worlds a cell, ${SIZES.length} cells of 25 to 2,500 calls and 3, 12 and 30 agents. Promised: mean ${ALLOWED.any} / ${ALLOWED.medium} / ${ALLOWED.high}, one cell medium+ ${ALLOWED_WORST.medium}, high ${ALLOWED_WORST.high}.`,
)
for (const one of tables) console.log(one)
