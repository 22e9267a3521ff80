import { mkdirSync, writeFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { disagreement } from '../support/agreement.js'
import { arbitraryCalls } from '../support/arbitrary-calls.js'
import { callEngine } from '../support/call-engine.js'
import { finds } from '../support/pipeline-finds.js'
import { orderedPipeline } from '../support/random-pipeline.js'
import { sized } from '../support/whole.js'

/**
 * What the engine gives for a pipeline is what the evaluator gives: random calls, random pipelines of up to six stages
 * of everything the language has. A fixed seed on every run; `npm run fuzz:pipeline -- --minutes 30` takes new ones.
 */

const minutes = Number(process.env['FUZZ_MINUTES'] ?? 0)

/** Pipelines for one set of calls: filling a table costs more than a query. */
const PIPELINES = 12
const PIPELINES_WHEN_LONG = 40
const STAGES = 6

interface Asked {
  readonly pipeline: readonly object[]
  /** Its documents come in one order only. */
  readonly ordered: boolean
}

interface Find extends Asked {
  readonly calls: readonly CallRecord[]
  readonly difference: string
}

async function differences(calls: readonly CallRecord[], asked: readonly Asked[]): Promise<Find[]> {
  const engine = await callEngine(calls)
  const found: Find[] = []
  try {
    for (const { pipeline, ordered } of asked) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      const difference = await disagreement(engine, pipeline, ordered).catch((error: unknown) => String(error))
      if (difference !== undefined) found.push({ calls, pipeline, ordered, difference })
    }
  } finally {
    engine.close()
  }
  return found
}

const without = <T>(items: readonly T[], place: number) => items.filter((_, i) => i !== place)

/** What a stage orders may depend on it: it is kept. */
const isDroppable = (stage: object) =>
  !/^\$(sort|sortByCount|facet|count|group|bucket|bucketAuto|setWindowFields)$/.test(Object.keys(stage)[0]!)

/** The find with as few stages and calls as still show it. */
async function shrunk(find: Find): Promise<Find> {
  let best = find
  for (let again = true; again;) {
    again = false
    const smaller = [
      ...(isDroppable(best.pipeline.at(-1)!) ? [{ ...best, pipeline: best.pipeline.slice(0, -1) }] : []),
      ...best.pipeline.flatMap((stage, i) =>
        isDroppable(stage) ? [{ ...best, pipeline: without(best.pipeline, i) }] : [],
      ),
      ...best.calls.map((_, i) => ({ ...best, calls: without(best.calls, i) })),
    ]
    for (const { calls, pipeline, ordered } of smaller) {
      if (pipeline.length === 0) continue
      // oxlint-disable-next-line no-await-in-loop -- each depends on the one before
      const [still] = await differences(calls, [{ pipeline, ordered }])
      if (still === undefined) continue
      best = still
      again = true
      break
    }
  }
  return best
}

const report = ({ calls, pipeline, difference }: Find) =>
  `${JSON.stringify(pipeline)}\nover ${JSON.stringify(calls)}\n${difference}`

test.each(finds)('$name', async ({ calls, pipeline }) => {
  expect(await differences(calls, [{ pipeline, ordered: false }])).toEqual([])
})

test.runIf(minutes === 0)('the engine and the evaluator agree', async () => {
  const seeds = fc.array(fc.nat(), { minLength: PIPELINES, maxLength: PIPELINES })
  await fc.assert(
    fc.asyncProperty(arbitraryCalls, seeds, async (calls, drawn) => {
      const [first] = await differences(
        calls,
        drawn.map(seed => orderedPipeline(seed, STAGES)),
      )
      if (first !== undefined) throw new Error(report(await shrunk(first)))
    }),
    { seed: 20_260_315, numRuns: sized(12, 40), endOnFailure: true },
  )
})

test.runIf(minutes > 0)(
  'the engine and the evaluator agree for minutes',
  async () => {
    const end = Date.now() + minutes * 60_000
    const folder = new URL('../../fuzz-finds/', import.meta.url)
    let ran = 0
    let next = Date.now() + 10_000
    const saved: string[] = []
    for (let seed = Date.now(); Date.now() < end; seed += 1) {
      const [calls] = fc.sample(arbitraryCalls, { seed, numRuns: 1 })
      const pipelines = Array.from({ length: PIPELINES_WHEN_LONG }, (_, i) =>
        orderedPipeline(Math.imul(seed * PIPELINES_WHEN_LONG + i, 0x9e3779b1), 1 + (i % STAGES)),
      )
      // oxlint-disable-next-line no-await-in-loop -- one after the other until the time is over
      for (const find of await differences(calls!, pipelines)) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        const small = await shrunk(find)
        mkdirSync(folder, { recursive: true })
        const file = new URL(`${seed}-${saved.length}.json`, folder)
        writeFileSync(
          file,
          JSON.stringify(
            { calls: small.calls, pipeline: small.pipeline, ordered: small.ordered, difference: small.difference },
            null,
            2,
          ),
        )
        saved.push(file.pathname)
        process.stderr.write(`\n${report(small)}\nsaved as ${file.pathname}\n`)
      }
      ran += PIPELINES_WHEN_LONG
      if (Date.now() > next) {
        next = Date.now() + 10_000
        process.stderr.write(
          `${ran} pipelines, ${saved.length} finds, ${Math.round((end - Date.now()) / 1000)} s left\n`,
        )
      }
    }
    expect(saved).toEqual([])
  },
  minutes * 60_000 + 300_000,
)
