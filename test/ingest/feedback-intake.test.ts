import { beforeEach, expect, test } from 'vitest'
import { Events } from '../../src/events/events.js'
import { keptFeedback, newFeedback } from '../../src/events/feedback-fields.js'
import { FeedbackIntake } from '../../src/ingest/feedback-intake.js'
import type { MaskKind } from '../../src/redact/mask.js'
import type { DuckDbStore } from '../../src/store/duckdb/duckdb-store.js'
import type { KeptFeedback } from '../../src/store/event-store.js'
import { call, openStore } from '../store/duckdb/support.js'

const CARD = 'The card 4111 1111 1111 1111 was read aloud.'
const MASKED_CARD = 'The card [card] was read aloud.'
/** A telephone number in Germany, and nothing elsewhere. */
const LOCAL = 'Rückruf unter 0171 9876543'

let store: DuckDbStore
let intake: FeedbackIntake
let redact: boolean
let kinds: readonly MaskKind[] | undefined
beforeEach(async () => {
  store = await openStore()
  await store.calls.upsert('p', [call('us', { language_primary: 'en-US' }), call('de', { language_primary: 'de-DE' })])
  redact = true
  kinds = undefined
  const events = await Events.load({ store: store.events, secret: 'x'.repeat(43), allowedRanges: [] })
  const project = { project_id: 'p', name: 'P', timezone: 'UTC', verticals: [], created_at: '' }
  intake = new FeedbackIntake({
    store,
    events,
    projects: { get: () => ({ ...project, redact, ...(kinds && { redact_kinds: kinds }) }) },
  })
})

/** A key each time: one has one piece of feedback on a call. */
let keys = 0
const by = () => {
  keys += 1
  return { created_by: 'k', given_with: { source: 'application_key', credential_id: `key_${keys}` } } as const
}
const give = async (session_id: string, text?: string) => {
  const given = await intake.give({ project_id: 'p', session_id, about: 'call', rating: 2, text, ...by() })
  return given?.text
}
const texts = async (sessionId: string) => (await store.events.feedback.of('p', sessionId)).map(({ text }) => text)

test('in a project that masks personal data, feedback is masked before it is stored', async () => {
  expect(await give('us', CARD)).toBe(MASKED_CARD)
  expect(await give('us', 'Fine')).toBe('Fine')
  expect(await give('us')).toBeUndefined()
  expect(await texts('us')).toEqual([MASKED_CARD, 'Fine', undefined])
})

test('of the kinds that the project masks', async () => {
  kinds = ['email']
  expect(await give('us', `${CARD} ana@example.com`)).toBe(`${CARD} [email]`)
})

test('in another it stays as it was said', async () => {
  redact = false
  expect(await give('us', CARD)).toBe(CARD)
})

test('telephone numbers are those of the country of the call’s language, as in the call itself', async () => {
  expect(await give('de', LOCAL)).toBe('Rückruf unter [phone]')
  expect(await give('us', LOCAL)).toBe(LOCAL)
})

test('feedback on a call that is not there is none', async () => {
  expect(
    await intake.give({ project_id: 'p', session_id: 'gone', about: 'call', rating: 2, text: CARD, ...by() }),
  ).toBe(undefined)
})

test('what comes from an export is masked when its import masks, whatever the project says, and counted', async () => {
  redact = false
  const kept = (n: number, session_id: string, text?: string): KeptFeedback => ({
    feedback_id: `fb_${String(n).padStart(24, '0')}`,
    session_id,
    about: 'call',
    rating: 3,
    created_at: `2026-03-01T00:00:00.00${n}Z`,
    created_by: 'k',
    ...(text !== undefined && { text }),
  })
  const given = [kept(1, 'us', CARD), kept(2, 'de', `${LOCAL}, ${CARD}`), kept(3, 'us'), kept(4, 'gone', CARD)]
  const masking = await intake.restore('p', given, true)
  expect(masking).toMatchObject({ added: 3, without_call: [given[3]!.feedback_id], masked: { card: 3, phone: 1 } })
  expect(await texts('us')).toEqual([MASKED_CARD, undefined])
  expect(await texts('de')).toEqual([`Rückruf unter [phone], ${MASKED_CARD}`])
  const kept6 = await intake.restore('p', [kept(6, 'us', `${CARD} ana@example.com`)], ['email'])
  expect(kept6).toMatchObject({ added: 1, masked: { card: 0, email: 1 } })
  redact = true
  const asItWas = await intake.restore('p', [kept(5, 'us', CARD)], false)
  expect(asItWas).toEqual({ added: 1, without_call: [] })
  expect(await texts('us')).toContain(CARD)
})

test('a mask may be longer than what it hides: the longest feedback is still taken from an export', async () => {
  const { text } = newFeedback.parse({ rating: 1, text: 'a@b.co '.repeat(571) })
  const masked = await give('us', text)
  expect(masked?.length).toBeGreaterThan(4_000)
  const [{ project_id: _, ...kept } = { project_id: '' }] = await store.events.feedback.of('p', 'us')
  expect(keptFeedback.parse(kept)).toEqual(kept)
})
