import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evaluate, parsePipeline } from '../../src/pipeline/index.js'
import { type DocumentEngine, documentEngine } from '../support/document-engine.js'

// The engine compares the offset out in the years about the present and looks it up in others: both must say what the
// evaluator says, most of all about changes of the clock and the first and last moment of those years. No zone is among
// them whose rules differ between the editions of zone data that the engine and Node hold, such as Africa/Casablanca.

let engine: DocumentEngine
beforeAll(async () => {
  engine = await documentEngine()
})
afterAll(() => engine.close())

const year = new Date().getUTCFullYear()
const FROM = Date.UTC(year - 8, 0)
const UNTIL = Date.UTC(year + 4, 0)

/** The moments about each change of the clock, the turns of the years and one in each month. */
function moments(zone: string): readonly Date[] {
  const turns: number[] = []
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(FROM).toZonedDateTimeISO(zone)
  while ((at = at.getTimeZoneTransition('next')) !== null && at.epochMilliseconds < UNTIL)
    turns.push(at.epochMilliseconds)
  for (let y = year - 8; y <= year + 4; y += 1) turns.push(Date.UTC(y, 0))
  const monthly = Array.from({ length: 12 * 12 }, (_, i) => FROM + i * 30.4 * 86_400_000)
  return [...turns.flatMap(ms => [ms - 3_600_000, ms - 1, ms, ms + 1, ms + 3_600_000]), ...monthly].map(
    ms => new Date(ms),
  )
}

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Pacific/Apia',
]

test.each(zones)('local time of %s is the same in the engine and without it', async timezone => {
  const documents = [...moments(timezone).map((at, n) => ({ n, at })), { n: -1 }]
  const pipeline = [
    {
      $project: {
        n: 1,
        hour: { $hour: { date: '$at', timezone } },
        minute: { $minute: { date: '$at', timezone } },
        week: { $dateTrunc: { date: '$at', unit: 'week', timezone } },
        text: { $dateToString: { date: '$at', timezone, format: '%Y-%m-%dT%H:%M:%S.%L' } },
      },
    },
    { $sort: { n: 1 } },
  ]
  const found = await engine.documents(documents, pipeline)
  expect(found?.engineStages).toBe(2)
  expect(found?.documents).toEqual(evaluate(parsePipeline(pipeline), documents))
})

test('and so it is of dates that are computed', async () => {
  const documents = moments('Europe/Berlin').map((at, n) => ({ n, at }))
  const later = { $dateAdd: { startDate: '$at', unit: 'hour', amount: 1 } }
  const pipeline = [
    { $project: { n: 1, hour: { $hour: { date: later, timezone: 'Europe/Berlin' } } } },
    { $sort: { n: 1 } },
  ]
  const found = await engine.documents(documents, pipeline)
  expect(found?.documents).toEqual(evaluate(parsePipeline(pipeline), documents))
})
