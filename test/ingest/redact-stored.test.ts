import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { redactStored, type RedactStoredOptions } from '../../src/ingest/redact-stored.js'
import { maskKinds } from '../../src/redact/mask.js'
import { getInteraction } from '../../src/questions/get-interaction.js'
import { searchCalls } from '../../src/questions/search-calls.js'
import { type Asking, asking } from '../support/asking.js'
import { threadsHere } from '../support/threads-here.js'

const CARD = '4111 1111 1111 1111'

function call(id: string, more: Partial<CallRecord> = {}): CallRecord {
  return {
    session_id: id,
    agent_name: 'Ana',
    created_dt: '2026-03-01T09:00:00Z',
    title: `Card ${CARD}`,
    customer_display_name: 'Jane Roe',
    session_metadata: { company_name: 'Acme', contact: 'jane@example.com', amount: 250 },
    score: 3,
    outcome_lift: { lift: 0.25 },
    signals: [{ key: 'sig.escalation', state: 'present', evidence: [{ turn: 1, quote: 'It is 737' }] }],
    coaching_summary: `She read ${CARD} aloud.`,
    transcript: [
      { turn: 0, actor: 'agent', text: 'What is the security code on the back?' },
      { turn: 1, actor: 'customer', text: 'It is 737.' },
      { turn: 2, actor: 'agent', text: 'Okay.' },
      { turn: 3, actor: 'customer', text: 'I need 250 of them by 9.' },
    ],
    evaluation: { evaluator: 'imported', evaluated_at: '2026-03-01T10:00:00Z' },
    ...more,
  }
}

let service: Asking
beforeEach(async () => {
  service = await asking()
  const clean = call('clean', {
    title: 'Nothing',
    session_metadata: {},
    coaching_summary: 'Well done.',
    signals: [],
    transcript: [],
  })
  await service.import('p', [call('a'), call('b'), clean])
  await service.import('other', [call('a')])
})
afterEach(() => service.close())

const run = (more: Partial<RedactStoredOptions> = {}) =>
  redactStored({
    calls: service.store.calls,
    feedback: service.store.events.feedback,
    threads: threadsHere,
    turn: { requester: { project: 'p', key: 'operator' } },
    projectId: 'p',
    kinds: maskKinds,
    dryRun: false,
    onProgress: async () => undefined,
    ...more,
  })
const whole = (id: string) => service.ask(getInteraction, { interaction_id: id })
const found = async (text: string) => (await service.ask(searchCalls, { text })).total

test('a dry run says how many calls and which kinds would change, and changes nothing', async () => {
  const before = await whole('a')
  const progress: object[] = []
  const report = await run({ dryRun: true, onProgress: async done => void progress.push(done) })
  expect(report).toMatchObject({ looked: 3, masked: 2, left: 0, feedback: 0 })
  expect(report.places).toMatchObject({ card: 4, cvv: 4, email: 2, phone: 0 })
  expect(report.calls).toMatchObject({ card: 2, cvv: 2, email: 2 })
  expect(progress).toEqual([{ done: 3, total: 3 }])
  expect(await whole('a')).toEqual(before)
})

test('texts, quotes, titles, metadata and what search finds are masked, and nothing else is changed', async () => {
  expect(await found('4111')).toBe(2)
  const { title: _, session_metadata: __, signals: ___, coaching_summary: ____, transcript: _____, ...rest } = call('a')
  await run()
  expect(await whole('a')).toEqual({
    ...rest,
    agent_id: 'ana',
    created_dt: '2026-03-01T09:00:00.000Z',
    evaluation: { evaluator: 'imported', evaluated_at: '2026-03-01T10:00:00.000Z' },
    title: 'Card [card]',
    session_metadata: { company_name: 'Acme', contact: '[email]', amount: 250 },
    signals: [{ key: 'sig.escalation', state: 'present', evidence: [{ turn: 1, quote: 'It is [cvv]' }] }],
    coaching_summary: 'She read [card] aloud.',
    transcript: [
      { turn: 0, actor: 'agent', text: 'What is the security code on the back?' },
      { turn: 1, actor: 'customer', text: 'It is [cvv].' },
      { turn: 2, actor: 'agent', text: 'Okay.' },
      { turn: 3, actor: 'customer', text: 'I need 250 of them by 9.' },
    ],
  })
  expect(await found('4111')).toBe(0)
  expect(await found('card')).toBe(2)
  // Another project's calls are not touched.
  expect(await service.store.calls.texts('other', undefined, 10n ** 9n)).toMatchObject([
    { json: expect.stringContaining(CARD) as string },
  ])
})

test('what is masked stays as it is when it is masked again', async () => {
  await run()
  const before = await whole('a')
  expect(await run()).toMatchObject({ looked: 3, masked: 0 })
  expect(await whole('a')).toEqual(before)
})

test('only the kinds that were named are masked', async () => {
  expect(await run({ kinds: ['email'] })).toMatchObject({ masked: 2, places: { email: 2, card: 0 } })
  expect(await whole('a')).toMatchObject({ title: `Card ${CARD}`, session_metadata: { contact: '[email]' } })
})

test('a call under a legal hold, and one that is replaced meanwhile, are left and told', async () => {
  const at = '2026-03-15T12:00:00.000Z'
  const hold = {
    project_id: 'p',
    hold_id: 'h',
    name: 'Matter 1',
    session_ids: ['a'],
    created_at: at,
    created_by: 'ada',
  }
  await service.store.privacy.placeHold(hold)
  const { calls } = service.store
  let replaced = false
  const report = await run({
    calls: {
      countTexts: id => calls.countTexts(id),
      texts: (...asked) => calls.texts(...asked),
      languages: (...asked) => calls.languages(...asked),
      writeTexts: async (...asked) => {
        if (!replaced) await service.import('p', [call('b', { title: `New ${CARD}` })])
        replaced = true
        return await calls.writeTexts(...asked)
      },
    },
  })
  expect(report).toMatchObject({ masked: 0, left: 2 })
  expect(await whole('a')).toMatchObject({ title: `Card ${CARD}` })
  expect(await whole('b')).toMatchObject({ title: `New ${CARD}` })
  expect(await run()).toMatchObject({ masked: 1, left: 1 })
  expect(await whole('b')).toMatchObject({ title: 'New [card]' })
})

test('a run that was cut off is gone on with', async () => {
  const more = Array.from({ length: 300 }, (_, n) => call(`more-${n}`))
  await service.import('p', more)
  const abort = new AbortController()
  const onProgress = async () => abort.abort(new Error('cut off'))
  const turn = { requester: { project: 'p', key: 'operator' }, signal: abort.signal }
  await expect(run({ onProgress, turn })).rejects.toThrow('cut off')
  const left = await run({ dryRun: true })
  expect(left.masked).toBeGreaterThan(0)
  expect(left.masked).toBeLessThan(302)
  expect(await run()).toMatchObject({ masked: left.masked })
  expect(await found('4111')).toBe(0)
})

test('what people said of calls is masked too', async () => {
  const said = {
    project_id: 'p',
    session_id: 'a',
    feedback_id: 'f1',
    about: 'call' as const,
    text: `He said ${CARD}`,
    created_at: '2026-03-15T12:00:00.000Z',
    created_by: 'ada',
  }
  await service.store.events.feedback.add(said, [])
  expect(await run({ dryRun: true })).toMatchObject({ feedback: 1 })
  expect(await service.store.events.feedback.of('p', 'a')).toMatchObject([{ text: `He said ${CARD}` }])
  await run()
  expect(await service.store.events.feedback.of('p', 'a')).toMatchObject([{ text: 'He said [card]' }])
})
