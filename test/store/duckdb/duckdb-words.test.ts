import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { callSchema, narrow, parsePipeline } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import { searchTerms } from '../../../src/questions/search-terms.js'
import type { DuckDbStore } from '../../../src/store/duckdb/duckdb-store.js'
import { sized } from '../../support/whole.js'
import { call, openedOnce, rows } from './support.js'

/** Calls of a segment: few enough for several, and such that words are kept in both ways. */
const SEGMENT = 16
const AGENTS = ['Ana', 'Ben']
const opened = openedOnce(undefined, { wordSegment: SEGMENT })
/** Who hears all agents is answered by words, who hears these by name from the texts: the same calls. */
const byWords = 'all'
const byTexts = AGENTS

type Agents = 'all' | readonly string[]

async function ask(store: DuckDbStore, projectId: string, who: Agents, stages: readonly object[]) {
  const pipeline = parsePipeline(stages, { shape: callSchema, now: new Date('2026-06-01'), derivedFields: true })
  const { documents, plan } = await store.run(narrow(pipeline, scope(projectId, who)), {
    lane: 'light',
    deadlineMs: 60_000,
    maxDocuments: 100,
  })
  expect(plan.evaluated_stages).toBe(0)
  return documents
}

interface Search {
  readonly text: string
  readonly from: number
  readonly until: number
}

/** When calls begin that are written. */
const at = (second: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + 1_000 * second)

/** What a search asks: how many calls, and the newest of them. */
async function search(store: DuckDbStore, projectId: string, who: Agents, { text, from, until }: Search) {
  const bounds = { ...(from > 0 && { $gte: at(from) }), ...(until < 31 && { $lt: at(until) }) }
  const period = Object.keys(bounds).length === 0 ? [] : [{ created_dt: bounds }]
  const $match = { $and: [...period, ...searchTerms(text).map(one => one.condition)] }
  return {
    count: await ask(store, projectId, who, [{ $match }, { $count: 'n' }]),
    page: await ask(store, projectId, who, [
      { $match },
      { $sort: { created_dt: -1, _id: 1 } },
      { $limit: 5 },
      { $project: { title: 1, duration_s: 1 } },
    ]),
  }
}

/** The words that are kept of a project, with how often each is; and those of the calls they were kept of. */
async function kept(store: DuckDbStore, projectId: string) {
  const rowsOf = `select segment, word, coalesce("rows"::integer[], list_filter(range(${SEGMENT})::integer[], lambda i: get_bit(bits, i) = 1)) as r,
    bit_count(bits)::integer as n from words where project_id = $1`
  const words = `select segment, unnest(r)::integer, word from (${rowsOf}) where n is null or n = len(r)`
  const said = `select distinct place >> 16, place & 65535, unnest(string_split_regex(search_text, '[ \\n]+')) as word from calls where project_id = $1 and place is not null`
  return {
    words: await rows(store, `${words} order by all`, [projectId]),
    said: await rows(store, `select * from (${said}) where word <> '' order by all`, [projectId]),
  }
}

const WORDS = [
  'karte',
  'Kärte',
  'card',
  'cards',
  'e-mail',
  '100%',
  'Ünïcode',
  '電話',
  'телефон',
  "o'neil",
  'a',
  'of',
  'lost.',
  '“lost”',
  'x\u00a0y',
  'ﬁne',
  'İzmir',
  'na\u0308her',
  '$9.50',
  '\\d',
  '[card]',
]
const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .chain(words => fc.constantFrom(' ', '  ', '\t', '\u3000').map(blank => words.join(blank)))
const session = fc.integer({ min: 0, max: 30 }).map(n => `s${n}`)
const texts = fc.record({
  title: fc.option(sentence, { nil: undefined }),
  turns: fc.array(sentence, { maxLength: 3 }),
})
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      calls: fc.array(fc.tuple(session, texts), { minLength: 1, maxLength: 12 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('index' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), id: session }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('silence' as const), id: session }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mask' as const), id: session }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('evaluate' as const), id: session, summary: sentence }) },
)
const query = fc.oneof(
  fc.constantFrom(...WORDS),
  sentence,
  sentence.map(text => `"${text.replaceAll('"', '')}"`),
  fc
    .tuple(fc.constantFrom(...WORDS), fc.nat(4), fc.integer({ min: 1, max: 5 }))
    .map(([word, from, n]) => word.slice(from, from + n)),
)

async function run(store: DuckDbStore, projectId: string, one: typeof step extends fc.Arbitrary<infer T> ? T : never) {
  if (one.do === 'index') await store.words.indexWords(projectId)
  if (one.do === 'erase') await store.calls.erase(projectId, one.id)
  if (one.do === 'silence') await store.calls.eraseTranscripts(projectId, [one.id])
  if (one.do === 'write') {
    await store.calls.upsert(
      projectId,
      one.calls.map(([id, { title, turns }]) =>
        call(id, {
          agent_name: AGENTS[Number(id.slice(1)) % 2],
          created_dt: at(Number(id.slice(1))).toISOString(),
          ...(title !== undefined && { title }),
          transcript: turns.map((text, turn) => ({ turn, actor: 'agent', text })),
        }),
      ),
    )
  }
  if (one.do === 'mask') {
    const page = await store.calls.texts(projectId, undefined, (await store.calls.countTexts(projectId)).last)
    const masked = page.filter(found => found.session_id === one.id)
    await store.calls.writeTexts(
      projectId,
      masked.map(found => ({ ...found, json: found.json.replaceAll('card', '****') })),
    )
  }
  if (one.do === 'evaluate') {
    const choice = {
      which: 'everything',
      rubric: 'r',
      rubricVersion: '1',
      before: Date.parse('2026-06-01'),
      only: [one.id],
    } as const
    const chosen = await store.calls.chooseToEvaluate(projectId, choice)
    const { calls } = await store.calls.toEvaluate(projectId, chosen, chosen.first)
    await store.calls.writeEvaluations(
      projectId,
      calls.map(found => ({ ...found, json: JSON.stringify({ coaching_summary: one.summary }) })),
    )
  }
}

it('finds by words what it finds in texts, whatever was written, and keeps words of no other text than is there', async () => {
  const store = opened()
  let project = 0
  let indexed = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 14 }),
      fc.array(fc.record({ text: query, from: fc.nat(12), until: fc.integer({ min: 10, max: 31 }) }), {
        minLength: 2,
        maxLength: 5,
      }),
      async (steps, queries) => {
        const projectId = `p${(project += 1)}`
        await store.calls.upsert(
          projectId,
          Array.from({ length: 32 }, (_, i) =>
            call(`first${i}`, { agent_name: AGENTS[i % 2], title: `card ${WORDS[i % WORDS.length]}` }),
          ),
        )
        await store.words.indexWords(projectId)
        for (const one of steps) await run(store, projectId, one)
        for (const one of queries) {
          expect(await search(store, projectId, byWords, one)).toEqual(await search(store, projectId, byTexts, one))
        }
        const { words, said } = await kept(store, projectId)
        expect(words).toEqual(said)
        indexed += words.length
      },
    ),
    { numRuns: sized(4, 10), seed: 25 },
  )
  expect(indexed).toBeGreaterThan(250)
})

describe('words of calls', () => {
  beforeAll(async () => {
    await opened().calls.upsert(
      'secrets',
      Array.from({ length: SEGMENT + 1 }, (_, i) => call(`s${i}`, i === SEGMENT ? {} : { title: 'my secret card' })),
    )
    await opened().words.indexWords('secrets')
  })

  it.each([
    { who: 'a caller', derivedFields: false, text: 'full', n: undefined },
    { who: 'a caller who sees texts masked', derivedFields: false, text: 'masked', n: undefined },
    { who: 'a caller who sees no texts', derivedFields: false, text: 'none', n: undefined },
    { who: 'our own question of whoever sees texts masked', derivedFields: true, text: 'masked', n: undefined },
    { who: 'our own question of whoever sees no texts', derivedFields: true, text: 'none', n: undefined },
    { who: 'our own question of whoever sees texts', derivedFields: true, text: 'full', n: SEGMENT },
  ] as const)('are found by who sees the field they are of: $who', async ({ derivedFields, text, n }) => {
    const stages = [{ $match: { search_text: { $regex: 'card' } } }, { $count: 'n' }]
    const pipeline = parsePipeline(stages, { shape: callSchema, now: new Date('2026-06-01'), derivedFields })
    const { documents } = await opened().run(narrow(pipeline, scope('secrets', 'all', text)), {
      lane: 'light',
      deadlineMs: 60_000,
      maxDocuments: 100,
    })
    expect(documents).toEqual(n === undefined ? [] : [{ n }])
  })
})

describe('a word that one call alone has', () => {
  it.each(['erase', 'silence', 'mask', 'evaluate', 'write'] as const)(
    'is gone with what it was said in: %s',
    async how => {
      const store = opened()
      const project = `of one call: ${how}`
      const spoken = (text: string) => ({ transcript: [{ turn: 0, actor: 'customer', text }] })
      await store.calls.upsert(
        project,
        Array.from({ length: SEGMENT }, (_, i) =>
          call(
            `s${i}`,
            i !== 1 ? spoken(`all ${i}`) : how === 'evaluate' ? { coaching_summary: 'a card' } : spoken('my card'),
          ),
        ),
      )
      expect(await store.words.indexWords(project)).toBe(SEGMENT)
      const ofCards = () =>
        rows(store, `select word from words where project_id = $1 and contains(word, 'card')`, [project])
      expect(await ofCards()).toEqual([['card']])
      if (how === 'evaluate') await run(store, project, { do: 'evaluate', id: 's1', summary: 'nothing' })
      if (how === 'write') await run(store, project, { do: 'write', calls: [['s1', { title: 'nothing', turns: [] }]] })
      if (how === 'erase' || how === 'silence' || how === 'mask') await run(store, project, { do: how, id: 's1' })
      expect(await ofCards()).toEqual([])
      expect(await rows(store, 'select segment from word_segments where project_id = $1', [project])).toEqual([])
    },
  )
})
