import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { analystQuestions, now } from '../../../bench/corpus/analyst-questions.js'
import { comparable } from '../../../bench/corpus/comparable.js'
import type { Caller } from '../../../src/access/caller.js'
import type { CallRecord } from '../../../src/calls/call-record.js'
import { generateCalls } from '../../../src/demo/generate-calls.js'
import { narrow, parsePipeline, toPlain } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import { questions } from '../../../src/questions/questions.js'
import type { Question } from '../../../src/questions/question.js'
import { resources } from '../../../src/questions/resources/resources.js'
import { restQuestions } from '../../../src/questions/rest-questions.js'
import type { Store } from '../../../src/store/store.js'
import { arbitraryCalls } from '../../support/arbitrary-calls.js'
import { type Asking, asking, caller, NOW } from '../../support/asking.js'
import { resourceRows, toolRows } from '../../support/matrix/rows.js'
import { calls as matrixCalls } from '../../support/matrix/world.js'
import { recordShape } from '../../support/call-engine.js'
import { mongoStore, type OpenedMongo } from '../../support/mongodb/mongo-store.js'
import { isTried, isWhole } from '../../support/whole.js'

/** Every question, and those of analysts, answered by the embedded store and over the driver: the same, whoever asks. */

const numbered = (records: readonly CallRecord[], prefix: string): readonly CallRecord[] =>
  records.map((call, i) => ({ ...call, session_id: `${prefix}${i}`, agent_id: call.agent_name.toLowerCase() }))
const generatedUntil = (end: Date) =>
  [...generateCalls({ calls: 60, seed: 5, agents: 4, end }).lines].map(line => JSON.parse(line) as CallRecord)
const generated = numbered(generatedUntil(new Date(NOW)), 'g')
const odd = numbered(fc.sample(arbitraryCalls, { seed: 7, numRuns: 6 }).flat(), 'o')

let embedded: Asking
let over: Asking
let mongo: OpenedMongo
beforeAll(async () => {
  embedded = await asking('Europe/Berlin')
  mongo = await mongoStore()
  const { calls, counts } = mongo.store
  const store = {
    activity: embedded.store.activity,
    calls,
    counts,
    run: (...asked: Parameters<Store['run']>) => mongo.store.run(...asked),
    plan: (...asked: Parameters<Store['plan']>) => mongo.store.plan(...asked),
  }
  over = { ...(await asking('Europe/Berlin', { store })), store: { calls } as Asking['store'] }
  const worlds: Readonly<Record<string, readonly CallRecord[]>> = {
    p: [...matrixCalls.p, ...generated],
    other: matrixCalls.other,
    usual: numbered(generatedUntil(now), 'u'),
    odd,
  }
  for (const [project, records] of Object.entries(worlds)) {
    const prepared = records.map(call => ({
      session_id: call.session_id,
      agent_id: call.agent_id ?? call.agent_name.toLowerCase(),
      agent_name: call.agent_name,
      json: JSON.stringify(call),
    }))
    // oxlint-disable-next-line no-await-in-loop -- three projects
    await Promise.all([embedded.store.calls.upsert(project, prepared), calls.upsert(project, prepared)])
  }
  return async () => {
    await over.close()
    await embedded.close()
    await mongo.end()
  }
})

const some = { allowed_agents: ['Ana', 'Ben', generated[0]!.agent_name], require_mapping: true }
const shapes: readonly (readonly [string, Caller])[] = [
  ['all agents', caller()],
  ['some agents', caller(some)],
  ['no texts', caller({ text: 'none' })],
  ['texts masked', caller({ ...some, text: 'masked' })],
]

const session = { session_id: generated[0]!.session_id }
const more: Readonly<Record<string, readonly object[]>> = {
  search_calls: [{ limit: 50 }, { text: 'refund' }, { sort: 'lift_desc', limit: 20 }, { signal_key: 'sig.escalation' }],
  get_call_detail: [session, { ...session, include_conditions: true }],
  get_project_summary: [{ date_from: '2026-01-01', date_to: '2026-12-31' }],
  get_agent_performance: [{ include_signals: true, date_from: '2026-01-01', min_calls: 1 }],
  list_interactions: [{}, { limit: 5, sort: 'score_asc' }],
  get_interaction: [{ interaction_id: session.session_id }, { interaction_id: 'nobody' }],
  list_agents: [{}],
  get_agent: [{ agent_id: 'ana', start_date: '2026-01-01', include_signals: true }],
  get_score_distribution: [{}],
  get_reasons: [{}],
}

/** How long it took and which stages ran where is not the answer, and a cursor is sealed by who gave it. */
const NO_ANSWER = new Set(['plan', 'elapsed_ms', 'next_cursor'])

function answerOf(value: unknown): unknown {
  const text = JSON.stringify(value, (name, inner: unknown) => {
    if (NO_ANSWER.has(name)) return undefined
    if (name !== 'warnings' || !Array.isArray(inner)) return inner
    return inner.filter(one => typeof one === 'string' && !/ runs? outside the engine/.test(one))
  })
  return text === undefined ? undefined : JSON.parse(text)
}

async function outcome(answering: Promise<unknown>): Promise<unknown> {
  return await answering.then(answerOf, (error: unknown) => (error instanceof Error ? error.message : error))
}

/** Of the agents that the rows of the matrix name the suite asks about one who is there and one who is nowhere. */
const OF_AGENTS = new Set<unknown>([undefined, 'Ben', 'Nobody'])
const isAsked = ({ agent_name: name }: { readonly agent_name?: unknown }) => isWhole || OF_AGENTS.has(name)

const asked = [
  ...[...questions, ...(Object.values(restQuestions) as unknown as readonly Question[])].map(question => ({
    name: question.name,
    asks: [...(toolRows[question.name]?.asks ?? []).filter(isAsked), ...(more[question.name] ?? [])],
    ask: (service: Asking, who: Caller, args: object) => service.ask(question, args, who),
  })),
  ...resources.map(resource => ({
    name: resource.uriTemplate,
    asks: resourceRows[resource.uriTemplate]?.asks ?? [],
    ask: (service: Asking, who: Caller, args: object) =>
      service.answering.read(resource, who, args, { requestId: 'r' }),
  })),
].filter(({ asks }) => asks.length > 0)

describe.each(shapes)('a key that hears %s', (name, who) => {
  const column = shapes.findIndex(([one]) => one === name)
  test.each(asked)('$name', async ({ asks, ask }) => {
    for (const args of asks.filter((_, row) => isTried(row, column, shapes.length))) {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      const [there, here] = await Promise.all([outcome(ask(over, who, args)), outcome(ask(embedded, who, args))])
      expect({ args, answer: there }).toEqual({ args, answer: here })
    }
  })
})

/** Single forms, and questions that were written before anybody looked what runs where: see whole-in-engine.test.ts. */
const table = (name: string) =>
  Object.entries(parse(readFileSync(new URL(`../../pipeline/${name}.yaml`, import.meta.url), 'utf8')) as Table)
type Table = Readonly<Record<string, readonly object[]>>

describe('what analysts ask of calls', () => {
  const run = async (store: Pick<Store, 'run'>, project: string, pipeline: readonly object[]) => {
    const parsed = parsePipeline([...pipeline], { shape: recordShape, now })
    const options = { lane: 'heavy', deadlineMs: 60_000, maxDocuments: 5_000 } as const
    // What one refuses the other has to refuse, in the same words.
    return await store.run(narrow(parsed, scope(project, 'all')), options).then(
      ({ documents }) => comparable(documents.map(document => toPlain(document) as object)),
      (error: unknown) => (error instanceof Error ? error.message : error),
    )
  }
  const steady = [
    ...analystQuestions.filter(({ unsteady }) => unsteady !== true),
    ...[...table('questions'), ...table('forms')].map(([question, pipeline]) => ({ question, pipeline })),
  ]
  test.each(steady.filter((_, row) => isTried(row, 0, 12)))('$question', async ({ pipeline }) => {
    for (const project of ['usual', 'odd']) {
      // oxlint-disable-next-line no-await-in-loop -- two
      const [there, here] = await Promise.all([mongo.store, embedded.store].map(store => run(store, project, pipeline)))
      expect({ project, documents: there }).toEqual({ project, documents: here })
    }
  })
})
