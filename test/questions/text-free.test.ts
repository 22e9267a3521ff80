import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../src/access/caller.js'
import { prompts } from '../../src/questions/prompts/prompts.js'
import { questions } from '../../src/questions/questions.js'
import { resources } from '../../src/questions/resources/resources.js'
import { restQuestions } from '../../src/questions/rest-questions.js'
import type { Question } from '../../src/questions/question.js'
import { callTexts } from '../../src/pipeline/index.js'
import { hourly } from '../support/activity.js'
import { type Asking, asking, caller, knowledgeOf } from '../support/asking.js'
import { promptRows, resourceRows, toolRows } from '../support/matrix/rows.js'
import { CANARY, canaryCall, plantedCall, tellsPlanted, withoutTexts } from '../support/text-free.js'
import { isTried } from '../support/whole.js'

/**
 * Every tool, resource, prompt and question of REST with a key that sees no text, over calls with a canary in every text: the
 * answer is the very one that the key gets where no call ever had a text, and the canary is in none.
 */

const CALLS = Array.from({ length: 24 }, (_, n) => canaryCall(n))
const session = { session_id: 'call-0' }

/** What is asked beside the rows of the matrix: of these calls, and after their texts. */
const more: Readonly<Record<string, readonly object[]>> = {
  search_calls: [{ limit: 50 }, { signal_key: 'sig.escalation' }, { guide_key: 'guide.x' }, { driver: `${CANARY} of` }],
  get_call_detail: [session, { ...session, include_conditions: true }, { session_id: CANARY }],
  compare_calls: [{ session_id_a: 'call-0', session_id_b: 'call-1', include_transcript: true }],
  get_project_summary: [{ date_from: '2026-01-01', date_to: '2026-03-01' }],
  get_agent_performance: [{ include_signals: true, date_from: '2026-01-01', min_calls: 1 }],
  detect_changes: [{ period: '2026-02', baseline: '2026-01', min_occurrences: 1 }],
  query_interactions: [
    { pipeline: [] },
    { pipeline: [{ $match: { title: { $regex: CANARY } } }] },
    { pipeline: [{ $match: { search_text: { $regex: CANARY } } }] },
    { pipeline: [{ $group: { _id: '$coaching_summary', calls: { $sum: 1 } } }] },
    { pipeline: [{ $match: { coaching_sumary: 'x' } }] },
    { pipeline: [{ $match: { 'transcript.text': 'x' } }], explain: true },
  ],
  list_interactions: [{}, { limit: 5, sort: 'score_asc' }],
  get_interaction: [{ interaction_id: 'call-0' }, { interaction_id: 'nobody' }],
  list_agents: [{}],
  get_agent: [{ agent_id: 'ana', start_date: '2026-01-01', include_signals: true }],
  get_score_distribution: [{}],
  get_groups: [{}, { month: '2026-01' }],
  get_reasons: [{}],
}

const knowledge = () =>
  knowledgeOf([
    {
      project_id: 'p',
      kb_id: 'kb',
      name: 'customers.md',
      title: 'Customers',
      sections: [{ title: 'Refund', text: `refund of ${CANARY}` }],
      imported_at: '2026-03-01T00:00:00.000Z',
    },
  ])

let texts: Asking
let bare: Asking
/** Two worlds in which the same was said, but for what masking finds. */
let planted: readonly [Asking, Asking]
beforeAll(async () => {
  ;[texts, bare] = await Promise.all([
    asking('Europe/Berlin', { knowledge }),
    asking('Europe/Berlin', { knowledge: () => undefined }),
  ])
  await texts.import('p', CALLS)
  await bare.import('p', withoutTexts(CALLS))
  planted = await Promise.all([asking('Europe/Berlin', { knowledge }), asking('Europe/Berlin', { knowledge })])
  for (const world of [0, 1] as const) {
    // oxlint-disable-next-line no-await-in-loop -- two
    await planted[world].import(
      'p',
      CALLS.map((_, n) => plantedCall(n, world)),
    )
  }
  const activity = hourly([{ credential_id: 'key_ann', name: 'Ann', page: 'search_calls' }])
  await Promise.all([texts, bare, ...planted].map(service => service.store.activity.insert(activity)))
})
afterAll(() => Promise.all([texts, bare, ...planted].map(service => service.close())))

const blind = caller({ text: 'none' })
const masked = caller({ text: 'masked' })
const context = { requestId: 'r' }

type Ask = (service: Asking, who: Caller, args: object) => Promise<unknown>
interface Subject {
  readonly name: string
  /** The row of the matrix. */
  readonly row: readonly object[]
  /** What is asked of these calls. */
  readonly own: readonly object[]
  readonly ask: Ask
}
const subjects: readonly Subject[] = [
  ...[...questions, ...(Object.values(restQuestions) as unknown as readonly Question[])].map(question => ({
    name: question.name,
    row: toolRows[question.name]?.asks ?? [question.rest?.example ?? {}],
    own: more[question.name] ?? [],
    ask: (({ answering }, who, args) => answering.answer(question, who, args, context)) satisfies Ask,
  })),
  ...resources.map(resource => ({
    name: resource.uriTemplate,
    row: resourceRows[resource.uriTemplate]?.asks ?? [],
    own: [session],
    ask: (({ answering }, who, args) => answering.read(resource, who, args, context)) satisfies Ask,
  })),
  ...prompts.map(prompt => ({
    name: prompt.name,
    row: promptRows[prompt.name]?.asks ?? [],
    own: [],
    ask: (({ answering }, who, args) => answering.write(prompt, who, args, context)) satisfies Ask,
  })),
]

/** What a key asks. The rows of the matrix are about calls that are not here: in the suite the two keys share them, but for the first. */
const asksOf = ({ row, own }: Subject, key: Caller): readonly object[] => [
  ...row.filter((_, n) => n === 0 || isTried(n, key === blind ? 0 : 1, 3)),
  ...own,
]

async function told(answer: Promise<unknown>): Promise<unknown> {
  const found = await answer.catch((error: unknown) => {
    const { code = 'unexpected', message } = error as { code?: string; message: string }
    return { code, message }
  })
  return JSON.parse(
    JSON.stringify(found, (key, value: unknown) => {
      if (key === 'elapsed_ms') return undefined
      return key === 'next_cursor' ? 'sealed' : value
    }),
  ) as unknown
}

/** What the key that sees texts masked is told in the first of the two worlds. */
const toldMasked = new Map<string, Promise<unknown>>()
function maskedAnswer({ name, ask }: Subject, args: object): Promise<unknown> {
  const asked = `${name} ${JSON.stringify(args)}`
  const found = toldMasked.get(asked) ?? told(ask(planted[0], masked, args))
  toldMasked.set(asked, found)
  return found
}

describe.each(subjects)('$name', subject => {
  const { ask } = subject
  const asks = asksOf(subject, blind)
  test('is asked', () => expect(asks.length).toBeGreaterThan(0))

  test.each(asks.map(args => [JSON.stringify(args), args] as const))('%s', async (said, args) => {
    const here = await told(ask(texts, blind, args))
    expect(here).toEqual(await told(ask(bare, blind, args)))
    const words = JSON.stringify(here)
    expect(words).not.toContain('"unexpected"')
    // What was asked may come back, and nothing that stands behind it in the calls.
    expect(words.includes(CANARY) && !said.includes(CANARY)).toBe(false)
    expect(words).not.toContain('She said it')
  })
})

describe.each(subjects)('$name with a key that sees texts masked', subject => {
  test.each(asksOf(subject, masked).map(args => [JSON.stringify(args), args] as const))('%s', async (_, args) => {
    const here = await maskedAnswer(subject, args)
    expect(here).toEqual(await told(subject.ask(planted[1], masked, args)))
    const words = JSON.stringify(here)
    expect(words).not.toContain('"unexpected"')
    expect(tellsPlanted(words)).toBe(false)
  })
})

test('a key that sees texts masked reads what was said, with masks in it', async () => {
  const seen = await Promise.all(
    subjects.flatMap(subject =>
      asksOf(subject, masked).map(
        async args => [subject.name, JSON.stringify(await maskedAnswer(subject, args))] as const,
      ),
    ),
  )
  const holding = new Set(seen.filter(([, words]) => words.includes('She said it')).map(([name]) => name))
  expect([...holding].toSorted()).toEqual([
    'compare_calls',
    'earshot://call/{session_id}/transcript',
    'get_call_detail',
    'get_interaction',
    'list_interactions',
    'search_calls',
  ])
  const record = questions.find(({ name }) => name === 'get_call_detail')!
  const answer = await planted[0].answering.answer(record, masked, { session_id: 'call-0' }, context)
  expect(answer).toMatchObject({
    metadata: {
      customer_display_name: '[name]',
      title: expect.stringContaining('Card [card], mail [email].') as string,
    },
    transcript: expect.arrayContaining([
      expect.objectContaining({ turn: 3, text: 'It is [cvv].' }),
      expect.objectContaining({ turn: 5, text: '[dob].' }),
    ]) as unknown,
    signals: expect.arrayContaining([
      expect.objectContaining({ evidence: [{ turn: 3, quote: 'It is [cvv].' }] }),
    ]) as unknown,
    transcript_total: 6,
  })
})

test('an id that looks like a number of a card stays the id of its call', async () => {
  const id = '4111111111111111'
  await planted[0].import('other', [{ ...plantedCall(0, 0), session_id: id }])
  const who = caller({ text: 'masked' }, 'other')
  const search = questions.find(({ name }) => name === 'search_calls')!
  expect(await planted[0].answering.answer(search, who, {}, context)).toMatchObject({ calls: [{ session_id: id }] })
})

test('the same answers have the texts for a key that sees them', async () => {
  const seen = await Promise.all(
    subjects.flatMap(subject =>
      // What is asked of these calls: the rows of the matrix are about calls that are not here.
      [...subject.row.slice(0, 1), ...subject.own].map(
        async args => [subject.name, JSON.stringify(await told(subject.ask(texts, caller(), args)))] as const,
      ),
    ),
  )
  const holding = new Set(seen.filter(([, words]) => words.includes('She said it')).map(([name]) => name))
  expect([...holding].toSorted()).toEqual([
    'compare_calls',
    'earshot://call/{session_id}/transcript',
    'earshot://project/{project_id}/schema',
    'get_call_detail',
    'get_interaction',
    'list_interactions',
    'query_interactions',
    'search_calls',
  ])
})

test('text search, transcripts and documents are refused in words, whatever is there', async () => {
  const [search, detail, kb] = ['search_calls', 'get_call_detail', 'query_knowledge_base'].map(name =>
    questions.find(question => question.name === name)!,
  )
  await expect(texts.answering.answer(search!, blind, { text: 'x' }, context)).rejects.toThrow(
    'This key sees no text of calls, so "text" can find none; use the other filters',
  )
  await expect(texts.answering.answer(search!, masked, { text: 'x' }, context)).rejects.toThrow(
    'This key sees texts masked, so "text" finds none by them; use the other filters',
  )
  await expect(texts.answering.answer(kb!, masked, { query: 'refund' }, context)).rejects.toThrow('sees texts masked')
  const transcript = resources.find(({ uriTemplate }) => uriTemplate.endsWith('transcript'))!
  const refusals = ['call-0', 'nobody'].map(session_id =>
    texts.answering
      .read(transcript, blind, { session_id }, context)
      .catch((error: unknown) => (error as Error).message),
  )
  expect(await Promise.all(refusals)).toEqual(Array(2).fill('This key sees no text of calls'))
  await expect(texts.answering.answer(kb!, blind, { query: 'refund' }, context)).rejects.toThrow('sees no texts')
  const answer = await texts.answering.answer(detail!, blind, session, context)
  expect(Object.keys(answer)).not.toContain('transcript_total')
})

test('the schema lists no field that holds text, and the context says so', async () => {
  const schema = resources.find(({ uriTemplate }) => uriTemplate.endsWith('schema'))!
  const { fields } = (await texts.answering.read(schema, blind, { project_id: 'p' }, context)) as {
    fields: { field: string }[]
  }
  const names = fields.map(({ field }) => field)
  expect(names).toContain('signals.key')
  expect(names.filter(name => callTexts.some(path => name === path || name.startsWith(`${path}.`)))).toEqual([])
  const orientation = await texts.answering.answer(questions[0]!, blind, {}, context)
  expect(orientation).toMatchObject({ scope: { text: 'none' } })
})

test('a key that is given its texts gets them from its next request on, and not what was remembered', async () => {
  const ask = (who: Caller) => told(subjects[1]!.ask(texts, who, { limit: 1 }))
  const [none, full, again] = [await ask(blind), await ask(caller()), await ask(blind)]
  expect(none).toEqual(again)
  expect(JSON.stringify(full)).toContain(CANARY)
})
