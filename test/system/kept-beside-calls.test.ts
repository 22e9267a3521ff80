import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askBy } from '../../src/cli/connection.js'
import { withClient } from '../../src/cli/with-client.js'
import { toolOperations } from '../../src/operations/ask-questions.js'
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js'
import { rows } from '../store/duckdb/support.js'
import { runEarshot } from '../support/run-earshot.js'
import { isWhole } from '../support/whole.js'

/** Words and counts of days are kept beside calls: whatever becomes of a store, what is found by them is what calls say. */

const scratch = mkdtempSync(join(tmpdir(), 'earshot-test-'))
afterAll(() => rmSync(scratch, { recursive: true }))
/** The same calls, of which nothing is kept beside them. */
const plain = join(scratch, 'plain')
const kept = join(scratch, 'kept')

/** Calls of a segment: a program's own has more than a test can afford to make. */
const SEGMENT = 64

async function done(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await runEarshot(args, input === undefined ? {} : { input })
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return stdout
}

const opened = async (dataDir: string) =>
  await openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 1, wordSegment: SEGMENT })

/** What is there of words and counts. */
async function amounts(dataDir: string) {
  const store = await opened(dataDir)
  try {
    const [found] = await rows(
      store,
      `select (select count(*) from words)::int, (select count(*) from word_segments)::int, (select count(place) from calls)::int,
      (select count(*) from counted_days)::int, (select count(*) from value_days)::int`,
    )
    return found as readonly number[]
  } finally {
    await store.close()
  }
}

const WORDS = ['refund', 'e-mail', 'order number', '"your order"', 'nobodysaidthis']
const QUESTIONS = [
  ...WORDS.map(text => ['search_calls', { limit: 50, text }] as const),
  ['search_calls', { limit: 50, text: 'password', date_from: '2026-04-01', date_to: '2026-04-20' }],
  ['get_project_context', {}],
  ['get_project_summary', { date_from: '2026-03-20', date_to: '2026-05-20' }],
  ['detect_changes', { period: '2026-05' }],
] as const

/** What a command over the directory is answered: it neither indexes nor counts. */
const answers = (dataDir: string) =>
  withClient({ dataDir }, async client => {
    const ask = askBy(client, 'shop')
    const found: object[] = []
    for (const [tool, args] of QUESTIONS) {
      // oxlint-disable-next-line no-await-in-loop -- one at a time, as whoever asks them
      const answer = await ask(toolOperations[tool], args)
      // A cursor is sealed anew each time, and a window without an end ends now.
      found.push({ ...answer, next_cursor: undefined, window: undefined })
    }
    return found
  })

let expected: Awaited<ReturnType<typeof answers>>
let before: readonly number[]
/** Calls that were indexed and days that were counted. */
let made: readonly number[]

beforeAll(async () => {
  const at = ['--project', 'shop', '--data-dir', kept]
  await done(['project', 'create', 'shop', '--data-dir', kept])
  const calls = await done(['generate', '--calls', '400', '--seed', '3', '--end', '2026-06-01'])
  await done(['import', '-', ...at], calls)
  cpSync(kept, plain, { recursive: true })
  const store = await opened(kept)
  made = [await store.words.indexWords('shop'), await store.counts.countDays('shop', 'UTC')]
  await store.close()
  // So that some calls are in no segment any more, and some days in no count.
  const { session_id: id } = JSON.parse(calls.split('\n')[100]!)
  for (const dataDir of [kept, plain]) {
    // oxlint-disable-next-line no-await-in-loop -- two
    await done(['erase', id, '--project', 'shop', '--data-dir', dataDir])
  }
  before = await amounts(kept)
  expected = await answers(plain)
})

test('what is asked of words and counts is something, and some of it is kept', async () => {
  expect(made[0]).toBe(6 * SEGMENT)
  expect(made[1]).toBeGreaterThan(80)
  expect(await amounts(plain)).toEqual([0, 0, 0, 0, 0])
  expect(before.slice(1, 3)).toEqual([5, 5 * SEGMENT])
  for (const amount of before) expect(amount).toBeGreaterThan(0)
  const totals = (expected as readonly { readonly total?: number }[]).map(({ total = 0 }) => total)
  expect(totals.filter(total => total > 0).length).toBeGreaterThan(2)
})

test('answers by them are those of calls alone', async () => {
  expect(await answers(kept)).toEqual(expected)
})

test.runIf(isWhole)('they are in a backup, and in what is restored of it', async () => {
  const restored = join(scratch, 'restored')
  await done(['backup', join(scratch, 'backup'), '--data-dir', kept])
  await done(['restore', join(scratch, 'backup'), '--data-dir', restored])
  expect(await amounts(restored)).toEqual(before)
  expect(await answers(restored)).toEqual(expected)
})

test.runIf(isWhole)('they are in a compacted store, and nothing of what is not counted any more', async () => {
  const compacted = join(scratch, 'compacted')
  cpSync(kept, compacted, { recursive: true })
  await done(['compact', '--data-dir', compacted])
  const [words, segments, places, days, values] = await amounts(compacted)
  expect([words, segments, places, days]).toEqual(before.slice(0, 4))
  expect(values).toBeGreaterThan(0)
  expect(values).toBeLessThanOrEqual(before[4]!)
  expect(await answers(compacted)).toEqual(expected)
})
