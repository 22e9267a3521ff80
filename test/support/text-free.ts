import { type CallRecord, textMarks } from '../../src/calls/call-record.js'

/** What stands in every text of these calls, and nowhere else. */
export const CANARY = 'zqxCanary'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function stripped(value: unknown, marks: unknown): unknown {
  if (marks === 'plain') return value
  if (!isObject(marks)) return undefined
  if (Array.isArray(value)) return value.map(item => stripped(item, marks))
  if (!isObject(value)) return value
  const kept = Object.entries(value).map(([name, inner]) => [name, stripped(inner, marks[name])] as const)
  return Object.fromEntries(kept.filter(([, inner]) => inner !== undefined))
}

/** The calls of a world in which nobody ever wrote down a text. */
export const withoutTexts = (calls: readonly CallRecord[]): readonly CallRecord[] =>
  calls.map(call => stripped(call, textMarks) as CallRecord)

const text = (field: string) => `${CANARY} of ${field}. She said it.`

/** A call that has every field of the record, with the canary in each that holds text. */
export function canaryCall(n: number): CallRecord {
  const evidence = (field: string) => [{ turn: n % 2, quote: text(`${field}.evidence.quote`) }]
  const at = new Date(Date.UTC(2026, 0, 5 + (n % 60), 9 + (n % 8))).toISOString()
  const score = 1 + (n % 9) / 2
  return {
    session_id: `call-${n}`,
    agent_id: n % 2 === 0 ? 'ana' : 'ben',
    agent_name: n % 2 === 0 ? 'Ana' : 'Ben',
    created_dt: at,
    title: text('title'),
    interaction_driver: n % 3 === 0 ? 'pay bill' : 'card lost',
    interaction_direction: 'inbound',
    channel: 'phone',
    language_primary: 'en',
    customer_display_name: text('customer_display_name'),
    recording_url: text('recording_url'),
    session_metadata: {
      company_name: text('session_metadata.company_name'),
      location: text('session_metadata.location'),
      store_id: text('session_metadata.store_id'),
      customer_display_name: text('session_metadata.customer_display_name'),
      audio_length_seconds: 60,
      [`own_${CANARY}`]: text('session_metadata.own'),
    },
    score,
    predicted_csat: score,
    outcome_lift: { lift: 0.25, lift_band: 'positive', p_behavioral: 0.75, p_context: 0.5 },
    scores: [{ key: 'clarity', display_name: 'Clarity', value: score, range: [1, 5] }],
    dimensions: [{ key: 'intent_clarity', value: 'high' }],
    signals: [
      { key: 'sig.escalation', state: 'present', strength: 0.5, confidence: 0.5, evidence: evidence('signals') },
      { key: 'sig.empathy_shown', state: 'absent' },
    ],
    guidance: [
      {
        key: 'guide.x',
        kind: 'opportunity',
        priority: 'p1',
        text: text('guidance.text'),
        evidence: evidence('guidance'),
      },
    ],
    coaching_summary: text('coaching_summary'),
    talk_patterns: {
      total_duration_s: 60,
      hold_count: 1,
      interruption_count: 1,
      talk_time_ratio: 0.5,
      avg_response_time_ms: 100,
      silence_ratio: 0.1,
    },
    trust: { level: 'low', score: 0.5, reasons: [text('trust.reasons')] },
    conditions: [
      { key: 'capped_by.rude', turn: 0, text: text('conditions.text') },
      { key: 'capped_quote', turn: 0, text: text('conditions.text') },
    ],
    transcript: [
      { turn: 0, actor: 'agent', text: text('transcript.text'), start_s: 0, end_s: 5 },
      { turn: 1, actor: 'customer', text: text('transcript.text'), start_s: 6, end_s: 9 },
    ],
    evaluation: { evaluator: 'imported', rubric: 'default', rubric_version: '1', evaluated_at: at },
  }
}

/** What is planted in the texts of a call, of two worlds whose masked texts are the same. */
export const PLANTED = [
  { card: '4111 1111 1111 1111', email: 'jane@example.com', name: 'Jane Roe', code: '737', birth: 'March 3rd 1971' },
  { card: '5500-0000-0000-0004', email: 'w.k.fuller@mail.example.org', name: 'Wu', code: '0912', birth: '1/12/85' },
] as const

/** A canary call with personal data in each of its texts, and some that only its dialogue tells. */
export function plantedCall(n: number, world: 0 | 1): CallRecord {
  const { card, email, name, code, birth } = PLANTED[world]
  const texts = JSON.stringify(canaryCall(n)).replaceAll('She said it.', `She said it. Card ${card}, mail ${email}.`)
  const call = JSON.parse(texts) as CallRecord
  const said = [
    ['agent', 'What is the security code on the back of the card?'],
    ['customer', `It is ${code}.`],
    ['agent', 'And your date of birth?'],
    ['customer', `${birth}.`],
  ] as const
  const turns = said.map(([actor, words], i) => ({ turn: 2 + i, actor, text: words }))
  return {
    ...call,
    customer_display_name: name,
    transcript: [...(call.transcript ?? []), ...turns],
    signals: [
      ...(call.signals ?? []),
      { key: 'sig.repeat_contact', state: 'present', evidence: [{ turn: 3, quote: `It is ${code}.` }] },
    ],
    session_metadata: {
      ...call.session_metadata,
      customer_display_name: name,
      first_name: name,
      [`note of ${email}`]: { number: Number(card.replaceAll(/\D/g, '')) },
    },
  }
}

/** Whether a text has something that was planted. */
export const tellsPlanted = (text: string): boolean =>
  PLANTED.some(({ card, email, name, code, birth }) =>
    // Whole names: a cursor may begin with any two letters.
    [card, card.replaceAll(/\D/g, ''), email, `"${name}"`, `is ${code}`, birth].some(one => text.includes(one)),
  )
